import '@polkadot/api/augment';
import type { KeyringPair } from '@polkadot/keyring/types';
import { type Client, testingPairs } from './testing.ts';

/** A chain's unit, which has 12 digits. */
export const unit = 10n ** 12n;

const { keyring } = testingPairs('ed25519', 2);

/** An account of one test alone, so that tests do not depend on each other. */
export const account = (name: string): KeyringPair => keyring.addFromUri(`//ecosystem//${name}`);

export const fund = (client: Client, free: bigint, ...accounts: readonly KeyringPair[]): Promise<unknown> =>
  client.dev.setStorage({
    System: {
      Account: accounts.map(({ address }) => [[address], { providers: 1, data: { free: `${free}` } }]),
    },
  });

export const balanceOf = async ({ api }: Client, address: string) => {
  const { data } = await api.query.system.account(address);
  return { free: data.free.toBigInt(), reserved: data.reserved.toBigInt() };
};

type HumanEvent = { readonly method: string; readonly data: { readonly who?: string } };

/**
 * Without the author's share of fees. chopsticks has the same author in each block, and a node whoever may author in the slot.
 */
export const withoutShares =
  ({ api }: Client) =>
  async (events: readonly HumanEvent[]): Promise<HumanEvent[]> => {
    const validators = (await api.query.session.validators()).map(String);
    return events.filter(({ method, data }) => method !== 'Deposit' || !validators.includes(data.who ?? ''));
  };
