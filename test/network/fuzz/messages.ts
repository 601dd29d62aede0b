import { textToBytes } from '../../../worker/bytes/bytes.ts';
import { hexToBytes } from '../../../worker/bytes/hex.ts';
import { Writer } from '../../../worker/bytes/writer.ts';
import type { BlockRef } from '../../../worker/chain/tree.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../../../worker/codec/identity.ts';
import type { SignedBlock } from '../../../worker/codec/signed-block.ts';
import {
  encodeAnnouncement,
  encodeRole,
  encodeStatus,
} from '../../../worker/network/protocol/block-announces.ts';
import {
  encodeBlockRequest,
  encodeBlockResponse,
  encodeFound,
} from '../../../worker/network/protocol/block-request.ts';
import { encodeFields } from '../../../worker/network/transport/protobuf.ts';
import { catchUpOf, commitOf, neighbor, requestCatchUp, signVote, voteOf } from '../vote-messages.ts';

/** What messages are made of. */
export type Material = {
  readonly genesis: BlockHash;
  /** A block that the node has, and one that it lacks. */
  readonly known: BlockRef & { readonly block: SignedBlock };
  readonly foreign: BlockRef & { readonly block: SignedBlock };
  /** A valid transfer, in hex. */
  readonly transfer: string;
};

/** Messages that are valid, by the end of their protocol's name; the first of a link is its handshake. */
export type ValidMessages = Readonly<
  Record<string, { readonly handshake: Uint8Array | null; readonly messages: readonly Uint8Array[] }>
>;

const unknown = bytesToBlockHash(new Uint8Array(32).fill(0x66));

const requests = ({ known }: Material): Uint8Array[] =>
  [known.hash, unknown, 0, 1, 2 ** 32 - 1].flatMap((from) =>
    [true, false].map((isDescending) =>
      encodeBlockRequest({ parts: 19, from, isDescending, max: 64, takesSeveral: true }),
    ),
  );

const lightRequests = ({ known }: Material): Uint8Array[] => {
  const block = [2, blockHashToBytes(known.hash)] as const;
  const name = textToBytes(':child_storage:default:x');
  return [
    encodeFields([1, encodeFields(block, [3, textToBytes('Core_version')], [4, new Uint8Array(0)])]),
    ...Array.from({ length: 6 }, () => encodeFields([2, encodeFields(block, [3, textToBytes(':code')])])),
    encodeFields([4, encodeFields(block, [3, name], [6, textToBytes('key')])]),
  ];
};

const votes = ({ known, foreign }: Material): Uint8Array[] => [
  neighbor(1n),
  neighbor(2n, 1),
  requestCatchUp(1n),
  voteOf(1n, signVote(0, known, 1n, '//Bob')),
  voteOf(1n, signVote(1, foreign, 1n, '//Bob')),
  commitOf(1n, foreign, ['//Bob']),
  catchUpOf(5n, known, { precommits: [] }),
];

export const validMessages = (material: Material): ValidMessages => {
  const { genesis, known, foreign, transfer } = material;
  const list = new Writer(1).compact(1).raw(hexToBytes(transfer)).finish();
  const role = encodeRole('full');
  return {
    'block-announces/1': {
      handshake: encodeStatus({ role: 'full', best: { hash: genesis, number: 0 }, genesis }),
      messages: [known, foreign].map(({ block: { header } }) => encodeAnnouncement({ header, isBest: true })),
    },
    'transactions/1': { handshake: role, messages: [list] },
    'grandpa/1': { handshake: role, messages: votes(material) },
    'sync/2': { handshake: null, messages: requests(material) },
    'light/2': { handshake: null, messages: lightRequests(material) },
    'sync/warp': { handshake: null, messages: [blockHashToBytes(genesis), blockHashToBytes(unknown)] },
    kad: { handshake: null, messages: [encodeFields([1, 4], [2, new Uint8Array(32)]), encodeFields([1, 5])] },
  };
};

/** Responses of `sync/2`. */
export const validResponses = ({ known, foreign }: Material): readonly Uint8Array[] => {
  const found = [foreign, known].map((one) => encodeFound(one, { parts: 19, takesSeveral: true }));
  return [encodeBlockResponse(found), encodeBlockResponse(found.slice(0, 1)), new Uint8Array(0)];
};
