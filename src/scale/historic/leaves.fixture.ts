import type { u32 } from '@polkadot/types';
import type { Codec } from '@polkadot/types/types';
import { toHex } from '../hex.ts';
import type { Decoded } from '../types.ts';

const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** The numbers, texts, bytes, accounts and variant names in a value decoded here, in the order of its bytes. */
export const leavesOf = (value: Decoded): readonly string[] => {
  switch (value.kind) {
    case 'number':
    case 'bool':
      return [String(value.value)];
    case 'text':
    case 'account':
    case 'bits':
      return [value.value];
    case 'bytes':
      return [toHex(value.value)];
    case 'void':
      return [];
    case 'none':
      return ['none'];
    case 'some':
      return leavesOf(value.value);
    case 'struct':
      return value.fields.flatMap((field) => leavesOf(field.value));
    case 'list':
      return value.items.flatMap(leavesOf);
    case 'variant':
      return [plain(value.name), ...(value.value === null ? [] : leavesOf(value.value))];
  }
};

type Option = Codec & { readonly isNone: boolean; unwrap(): Codec };
type Variant = Codec & { readonly type: string; readonly inner: Codec };
type Item = {
  readonly section: string;
  readonly method: string;
  readonly args?: Codec[];
  readonly data?: Codec[];
};

/** The same of a value that `@polkadot/types` decoded. */
export const leavesOfCodec = (codec: Codec): readonly string[] => {
  if ('section' in codec && 'method' in codec) {
    const { section, method, args, data } = codec as unknown as Item;
    return [plain(section), plain(method), ...[...(args ?? data ?? [])].flatMap(leavesOfCodec)];
  }
  if ('unwrap' in codec && 'isNone' in codec) {
    const option = codec as Option;
    return option.isNone ? ['none'] : leavesOfCodec(option.unwrap());
  }
  if ('isBasic' in codec) {
    const { type, inner } = codec as unknown as Variant;
    return [plain(type), ...leavesOfCodec(inner)];
  }
  // Shown as an address, but stored as a number.
  if (codec.toRawType() === 'AccountIndex') return [(codec as u32).toNumber().toString()];
  // One byte: aye or nay, and the conviction (pallet-democracy).
  if (codec.toRawType() === 'Vote') return [String(codec.toU8a()[0])];
  // Accounts are bytes, too, but are shown as addresses.
  if (codec.toRawType() === 'AccountId') return [codec.toString()];
  if (codec instanceof Uint8Array) return [toHex(codec)];
  if (Array.isArray(codec)) return (codec as Codec[]).flatMap(leavesOfCodec);
  if (codec instanceof Map && /^(BTree|Hash)Map/.test(codec.toRawType()))
    return [...(codec as Map<Codec, Codec>)].flat().flatMap(leavesOfCodec);
  if (codec instanceof Map) return [...(codec as Map<string, Codec>).values()].flatMap(leavesOfCodec);
  if (codec instanceof Set) return [String((codec as unknown as { valueEncoded: object }).valueEncoded)];
  return codec.isEmpty && codec.toRawType() === 'Null' ? [] : [codec.toString()];
};
