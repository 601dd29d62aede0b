import type { AccountFile } from '../../../src/accounts/account-file.ts';
import { openAccountFile } from '../../../src/accounts/open-account.ts';
import { accountIdOf, type Pair, signMessage } from '../../../src/accounts/pair.ts';
import { saveAccount } from '../../../src/accounts/save-account.ts';
import { NodeError } from '../../../src/protocol/errors.ts';
import { toHex } from '../../../src/scale/hex.ts';
import type { HeldKey, KeyCalls, KeySignature } from './key-words.ts';
import { pairOfSuri } from './keys.ts';

/** More keys than this are no accounts of a person. */
const mostHeld = 1000;

/** A longer JSON holds more than an account, and is written anew to be kept. */
const longestText = 4000;

const signatureOf = (pair: Pair, payload: Uint8Array): KeySignature => ({
  type: pair.type,
  signature: toHex(signMessage(pair, payload)),
});

/** Keys in memory, by their account ids. */
export const createHeldKeys = (): KeyCalls => {
  const held = new Map<string, Pair>();
  const hold = (pair: Pair, file: AccountFile | null): HeldKey => {
    const id = toHex(accountIdOf(pair));
    if (!held.has(id) && held.size >= mostHeld)
      throw new NodeError('LimitReached', `A page holds at most ${mostHeld} keys: remove some first.`);
    held.set(id, pair);
    const isSafe = file?.sealed.cipher === 'scrypt' && file.text.length <= longestText;
    return { id, type: pair.type, name: file?.name ?? null, text: isSafe ? file.text : null };
  };
  const need = (id: string): Pair => {
    const pair = held.get(id);
    if (pair !== undefined) return pair;
    throw new NodeError('BadKey', 'The key of this account is locked: unlock it with its password.');
  };
  return {
    add: async (suri, type) => hold(await pairOfSuri(suri, type), null),
    sign: async (id, payload) => signatureOf(need(id), payload),
    signOnce: async (suri, payload) => {
      const pair = await pairOfSuri(suri);
      const signed = signatureOf(pair, payload);
      pair.secret.fill(0);
      return signed;
    },
    open: async (text, password, onOpened) => {
      const { opened, locked } = await openAccountFile(text, password, onOpened);
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
  };
};
