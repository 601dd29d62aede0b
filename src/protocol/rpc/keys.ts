import * as z from 'zod/mini';
import { call } from './define.ts';
import { bytes, secret, text } from './params.ts';
import { hexResult } from './results.ts';

const alice = `0x${'d4'.repeat(32)}`;

/** The node's own keys. */
export const keys = {
  author_insertKey: call({
    doc: 'Stores a secret URI under a key type and a public key, without checking that they match.',
    params: { key_type: text(), suri: secret(text()), public: bytes() },
    result: z.null(),
    safety: 'unsafe',
    example: { args: { key_type: 'babe', suri: '//Alice', public: alice }, result: null },
  }),
  author_rotateKeys: call({
    doc: 'Generates and stores new session keys; returns their concatenated public keys.',
    params: {},
    result: hexResult(),
    safety: 'unsafe',
    example: { args: {}, result: alice },
  }),
  author_rotateKeysWithOwner: call({
    doc: 'Generates new session keys for an account, with a proof of possession.',
    params: { owner: bytes() },
    result: z.object({ keys: hexResult(), proof: z.nullable(hexResult()) }),
    safety: 'unsafe',
    example: { args: { owner: alice }, result: { keys: alice, proof: null } },
  }),
  author_hasKey: call({
    doc: 'Whether the keystore has a key of a type.',
    params: { public_key: bytes(), key_type: text() },
    result: z.boolean(),
    safety: { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' },
    example: { args: { public_key: alice, key_type: 'babe' }, result: true },
  }),
  author_hasSessionKeys: call({
    doc: 'Whether the keystore has all of these session keys.',
    params: { session_keys: bytes() },
    result: z.boolean(),
    safety: { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' },
    example: { args: { session_keys: `0x${'d4'.repeat(64)}` }, result: true },
  }),
};
