import { toHex } from './hex.ts';
import type { Decoded, Json } from './types.ts';

/** A decoded value as JSON that `encodeJson` accepts. */
export const decodedToJson = (value: Decoded): Json => {
  switch (value.kind) {
    case 'number':
      return typeof value.value === 'bigint' ? value.value.toString() : value.value;
    case 'bool':
    case 'text':
    case 'account':
      return value.value;
    case 'bits':
      return `0b${value.value}`;
    case 'bytes':
      return toHex(value.value);
    case 'void':
    case 'none':
      return null;
    case 'some':
      // Some(None) would otherwise be read as None.
      return value.value.kind === 'none' || value.value.kind === 'some' || value.value.kind === 'void'
        ? { Some: decodedToJson(value.value) }
        : decodedToJson(value.value);
    case 'struct':
      return Object.fromEntries(value.fields.map((field) => [field.label, decodedToJson(field.value)]));
    case 'list':
      return value.items.map(decodedToJson);
    case 'variant':
      return value.value === null ? value.name : { [value.name]: decodedToJson(value.value) };
  }
};

/** Field names in the spelling of polkadot-js. */
const camelCase = (name: string): string =>
  name.replace(/_+([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());

/** The most bytes of a number that polkadot-js writes as a JSON number: 32 bits, or compact with a byte for the mode. */
const longestNumber = 5;

/**
 * A decoded value in the form of polkadot-js's JSON, which `encodeGiven` accepts: field names in camel case, larger
 * integers than 32 bits as decimal text, and what an option holds without the option.
 */
export const decodedToPolkadotJs = (value: Decoded): Json => {
  switch (value.kind) {
    case 'number':
      return value.end - value.start > longestNumber || value.value > 0xffff_ffff
        ? value.value.toString()
        : Number(value.value);
    case 'some':
      return decodedToPolkadotJs(value.value);
    case 'struct':
      return Object.fromEntries(
        value.fields.map((field) => [camelCase(field.label), decodedToPolkadotJs(field.value)]),
      );
    case 'list':
      return value.items.map(decodedToPolkadotJs);
    case 'variant':
      return value.value === null ? value.name : { [value.name]: decodedToPolkadotJs(value.value) };
    default:
      return decodedToJson(value);
  }
};
