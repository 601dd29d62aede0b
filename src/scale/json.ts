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
