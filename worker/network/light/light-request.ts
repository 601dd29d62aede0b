import { bytesToText } from '../../bytes/bytes.ts';
import { Writer } from '../../bytes/writer.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import { decodeFields, encodeFields } from '../transport/protobuf.ts';

// Messages of `light/2` (sc-network-light `src/schema/light.v1.proto`).

/** What a light client wants proven about the state of a block. */
export type LightRequest =
  | {
      readonly kind: 'call';
      readonly block: BlockHash;
      readonly method: string;
      readonly input: Uint8Array;
    }
  | { readonly kind: 'read'; readonly block: BlockHash; readonly keys: readonly Uint8Array[] }
  | {
      readonly kind: 'readChild';
      readonly block: BlockHash;
      /** As it was sent: with the prefix of child tries, or without. */
      readonly child: Uint8Array;
      readonly keys: readonly Uint8Array[];
    };

const requestFields = { call: 1, read: 2, readChild: 4 } as const;
/** A child's proof is a response to a read. */
const responseFields = { call: 1, read: 2, readChild: 2 } as const;

const hashBytes = 32;

const readHash = (bytes: Uint8Array): BlockHash => {
  if (bytes.length !== hashBytes) throw new Error(`A block hash has ${hashBytes} bytes`);
  return bytesToBlockHash(bytes);
};

const readRequest = (message: Uint8Array): LightRequest | null => {
  const all = decodeFields(message);
  const open = (field: number) => decodeFields(all.bytes(field));
  if (all.has(requestFields.call)) {
    const fields = open(requestFields.call);
    const [block, method] = [readHash(fields.bytes(2)), bytesToText(fields.bytes(3))];
    return { kind: 'call', block, method, input: fields.bytes(4) };
  }
  if (all.has(requestFields.read)) {
    const fields = open(requestFields.read);
    return { kind: 'read', block: readHash(fields.bytes(2)), keys: fields.all(3) };
  }
  if (!all.has(requestFields.readChild)) return null;
  const fields = open(requestFields.readChild);
  const [block, child] = [readHash(fields.bytes(2)), fields.bytes(3)];
  return { kind: 'readChild', block, child, keys: fields.all(6) };
};

/** Null if it is no request that is known. Keys and input are views of the bytes. */
export const decodeLightRequest = (bytes: Uint8Array): LightRequest | null => {
  try {
    return readRequest(bytes);
  } catch {
    return null;
  }
};

/** A proof is trie nodes and hashed values; null says that there is none. */
export const encodeLightResponse = (
  kind: LightRequest['kind'],
  proof: readonly Uint8Array[] | null,
): Uint8Array => {
  const encode = (nodes: readonly Uint8Array[]): Uint8Array =>
    new Writer(4096).vec(nodes, (writer, node) => writer.vecBytes(node)).finish();
  const fields = proof === null ? encodeFields() : encodeFields([2, encode(proof)]);
  return encodeFields([responseFields[kind], fields]);
};
