import { call, methods } from './define.ts';
import { bytes, secret, text } from './params/params.ts';
import type { keysResults } from './results/author.ts';

/** The node's own keys. */
export const keys = methods<typeof keysResults>()({
  author_insertKey: call({
    params: { key_type: text(), suri: secret(text()), public: bytes() },
    safety: 'unsafe',
  }),
  author_rotateKeys: call({ params: {}, safety: 'unsafe' }),
  author_rotateKeysWithOwner: call({ params: { owner: bytes() }, safety: 'unsafe' }),
  author_hasKey: call({
    params: { public_key: bytes(), key_type: text() },
    safety: { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' },
  }),
  author_hasSessionKeys: call({
    params: { session_keys: bytes() },
    safety: { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' },
  }),
});
