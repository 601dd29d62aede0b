import type { AccountFile } from '../../../src/accounts/account-file.ts';
import { openAccountFile } from '../../../src/accounts/open-account.ts';
import { accountIdOf, isSignatureOf, type Pair, signMessage } from '../../../src/accounts/pair.ts';
import { saveAccount } from '../../../src/accounts/save-account.ts';
import { NodeError } from '../../../src/protocol/errors.ts';
import { fromHex, toHex } from '../../../src/scale/hex.ts';
import type { HeldKey, KeyCalls, KeySignature } from './key-protocol.ts';
import { pairOfSuri } from './keys.ts';

/** More keys than this are no accounts of a person. */
const mostHeld = 1000;

/** Between two accounts, so that other calls, and an abort, are not kept waiting by a file of many. */
const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const signatureOf = (pair: Pair, payload: Uint8Array): KeySignature => ({
  type: pair.type,
  signature: toHex(signMessage(pair, payload)),
});

/** Keys in memory, by their account ids. */
export const createHeldKeys = (most = mostHeld): KeyCalls => {
  const held = new Map<string, Pair>();
  const idOf = (pair: Pair): string => toHex(accountIdOf(pair));
  /** Throws before any of them is held. */
  const needRoom = (pairs: readonly Pair[]): void => {
    if (new Set([...held.keys(), ...pairs.map(idOf)]).size <= most) return;
    throw new NodeError('LimitReached', `A page holds at most ${most} keys: remove some first.`);
  };
  const hold = (pair: Pair, file: AccountFile | null): HeldKey => {
    const id = idOf(pair);
    held.set(id, pair);
    const text = file?.sealed.cipher === 'scrypt' ? file.text : null;
    return { id, type: pair.type, name: file?.name ?? null, text };
  };
  const need = (id: string): Pair => {
    const pair = held.get(id);
    if (pair !== undefined) return pair;
    throw new NodeError('BadKey', 'The key of this account is locked: unlock it with its password.');
  };
  return {
    add: async (suri, type) => {
      const pair = await pairOfSuri(suri, type);
      needRoom([pair]);
      return hold(pair, null);
    },
    sign: async (id, payload) => signatureOf(need(id), payload),
    signOnce: async (suri, payload) => {
      const pair = await pairOfSuri(suri);
      const signed = signatureOf(pair, payload);
      pair.secret.fill(0);
      return signed;
    },
    open: async (text, password, { onOpened, signal } = {}) => {
      const { opened, locked } = await openAccountFile(text, password, async (done, total) => {
        onOpened?.(done, total);
        await nextTask();
        if (signal?.aborted) throw new NodeError('Aborted');
      });
      needRoom(opened.map(({ pair }) => pair));
      return {
        opened: opened.map(({ file, pair }) => hold(pair, file)),
        locked: locked.map(({ name, address, text }) => ({ name, address, text })),
      };
    },
    save: async (id, name, password) => saveAccount(need(id), { name }, password),
    forget: async (id) => {
      held.get(id)?.secret.fill(0);
      held.delete(id);
    },
    verify: async (id, payload, signature) => {
      const [scheme = -1, ...bytes] = fromHex(signature);
      const type = (['ed25519', 'sr25519', 'ecdsa'] as const)[scheme];
      return type !== undefined && isSignatureOf(type, Uint8Array.from(bytes), payload, fromHex(id));
    },
  };
};
