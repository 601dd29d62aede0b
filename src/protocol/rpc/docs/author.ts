import type { MethodDocs } from '../define.ts';

const alice = `0x${'d4'.repeat(32)}`;

export const authorDocs = {
  author_submitExtrinsic: {
    doc: 'Validates an extrinsic and adds it to the pool; returns its hash.',
    example: { extrinsic: '0x1004010014' },
  },
  author_pendingExtrinsics: { doc: 'The ready transactions of the pool, in pool order.', example: {} },
  author_removeExtrinsic: {
    doc: 'Removes transactions and their dependents from the pool and bans the given ones; returns those removed.',
    example: { bytes_or_hash: [{ hash: `0x${'91'.repeat(32)}` }] },
  },
  author_submitAndWatchExtrinsic: { doc: 'Submits an extrinsic and reports its status.' },
} satisfies MethodDocs;

export const keysDocs = {
  author_insertKey: {
    doc: 'Stores a secret URI under a key type and a public key, without checking that they match.',
    example: { key_type: 'babe', suri: '//Alice', public: alice },
  },
  author_rotateKeys: {
    doc: 'Generates and stores new session keys; returns their concatenated public keys.',
    example: {},
  },
  author_rotateKeysWithOwner: {
    doc: 'Generates new session keys for an account, with a proof of possession.',
    example: { owner: alice },
  },
  author_hasKey: {
    doc: 'Whether the keystore has a key of a type.',
    example: { public_key: alice, key_type: 'babe' },
  },
  author_hasSessionKeys: {
    doc: 'Whether the keystore has all of these session keys.',
    example: { session_keys: `0x${'d4'.repeat(64)}` },
  },
} satisfies MethodDocs;

export const transactionDocs = {
  transaction_v1_broadcast: {
    doc: 'Submits a transaction, and again at each best block while it may become valid; null if 16 broadcasts are active.',
    example: { bytes: '0x00' },
  },
  transaction_v1_stop: {
    doc: 'Stops a broadcast. A transaction that is not in a block yet is removed from the pool under `psp-6`, and stays under `polkadot-sdk`.',
    example: { operation_id: 'k3J9sQ0ZpLm2VbX1' },
  },
  transactionWatch_v1_submitAndWatch: {
    doc: 'Submits a transaction and reports its status; a refusal is reported as an event too.',
  },
} satisfies MethodDocs;
