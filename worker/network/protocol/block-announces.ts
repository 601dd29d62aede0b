import { concatBytes } from '../../bytes/bytes.ts';
import { decodeWhole, Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { encodeHeader, type Header, readHeader } from '../../codec/header.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash, type NamedBlock } from '../../codec/identity.ts';

/** What a node does for others (sc-network-common `Roles`). */
export type Role = 'full' | 'light' | 'authority';

const roleBytes = { full: 1, light: 2, authority: 4 } as const;

/** The byte that opens a notification link of `grandpa/1` or `transactions/1`. */
export const encodeRole = (role: Role): Uint8Array => Uint8Array.of(roleBytes[role]);

/** Null if it is none. An authority is a full node, whether it says so or not. */
export const decodeRole = (byte: number | undefined): Role | null => {
  if (byte === undefined || byte === 0 || byte > 7) return null;
  if ((byte & roleBytes.authority) !== 0) return 'authority';
  return (byte & roleBytes.full) === 0 ? 'light' : 'full';
};

/** The handshake of `block-announces/1` (sc-network-common `BlockAnnouncesHandshake`). */
export type Status = { readonly role: Role; readonly best: NamedBlock; readonly genesis: BlockHash };

/** 69 bytes. */
export const encodeStatus = ({ role, best, genesis }: Status): Uint8Array =>
  concatBytes(
    new Writer(5).u8(roleBytes[role]).u32(best.number).finish(),
    blockHashToBytes(best.hash),
    blockHashToBytes(genesis),
  );

/** Null unless the bytes are exactly one handshake. */
export const decodeStatus = (bytes: Uint8Array): Status | null => {
  if (bytes.length !== 69) return null;
  const role = decodeRole(bytes[0]);
  if (role === null) return null;
  return decodeWhole(bytes.subarray(1), (reader) => {
    const number = reader.u32();
    const best = { hash: bytesToBlockHash(reader.take(32)), number };
    return { role, best, genesis: bytesToBlockHash(reader.take(32)) };
  });
};

export type Announcement = { readonly header: Header; readonly isBest: boolean };

/** The header, whether the block is the sender's best one, and no data (sc-network-common `BlockAnnounce`). */
export const encodeAnnouncement = ({ header, isBest }: Announcement): Uint8Array =>
  concatBytes(encodeHeader(header), Uint8Array.of(isBest ? 1 : 0, 0));

/** Both parts after the header may be missing: the block then is a best one. Null for anything else, data included. */
export const decodeAnnouncement = (bytes: Uint8Array): Announcement | null => {
  try {
    const reader = new Reader(bytes);
    const header = readHeader(reader);
    const state = reader.remaining === 0 ? 1 : reader.u8();
    // No chain of these has data, as with the validator of the SDK.
    const hasData = reader.remaining > 0 && reader.vecBytes().length > 0;
    reader.end();
    return state > 1 || hasData ? null : { header, isBest: state === 1 };
  } catch {
    return null;
  }
};
