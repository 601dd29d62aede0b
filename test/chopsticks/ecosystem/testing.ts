import '@polkadot/api/augment';
import { pathToFileURL } from 'node:url';
import type { SubmittableExtrinsic } from '@polkadot/api/types';
import type { KeyringPair } from '@polkadot/keyring/types';
import { expect } from 'vitest';

/**
 * The testing interface of chopsticks, for tests that run with either package: those of a chain's ecosystem change only what they
 * import. CHOPSTICKS_TESTING is the path of the entry of `@acala-network/chopsticks-testing`, with which they run then.
 */
type Testing = typeof import('../../../src/testing/chopsticks.ts');

const entry = process.env['CHOPSTICKS_TESTING'];
const load = (): Promise<unknown> =>
  entry === undefined
    ? import('../../../src/testing/chopsticks.ts')
    : import(/* @vite-ignore */ pathToFileURL(entry).href);

export const { sendTransaction, setupContext, testingPairs, withExpect } = (await load()) as Testing;
export const { check, checkEvents, checkSystemEvents } = withExpect(expect);

/** Whether these tests run with chopsticks itself. */
export const isChopsticks = entry !== undefined;

export type Client = Awaited<ReturnType<typeof setupContext>>;
export type Tx = SubmittableExtrinsic<'promise'>;

export const headNumber = async ({ api }: Client): Promise<number> =>
  (await api.rpc.chain.getHeader()).number.toNumber();

/** Submits transactions, builds a block, and returns the events of the last one. */
export const submit = async (client: Client, signer: KeyringPair, ...transactions: readonly Tx[]) => {
  let sent: Awaited<ReturnType<typeof sendTransaction>> | undefined;
  const first = (await client.api.rpc.system.accountNextIndex(signer.address)).toNumber();
  for (const [index, tx] of transactions.entries())
    sent = await sendTransaction(tx.signAsync(signer, { nonce: first + index }));
  await client.dev.newBlock();
  if (sent === undefined) throw new Error('There is no transaction to submit');
  return sent;
};

/** The name of the error with which the best block's only failed transaction has failed. */
export const failure = async ({ api }: Client): Promise<string> => {
  const failed = (await api.query.system.events())
    .map(({ event }) => event)
    .filter((event) => api.events.system.ExtrinsicFailed.is(event));
  expect(failed).toHaveLength(1);
  const error = failed[0]?.data[0] as unknown as { isModule: boolean; asModule: never; type: string };
  if (!error.isModule) return error.type;
  const { section, name } = api.registry.findMetaError(error.asModule);
  return `${section}.${name}`;
};

/** Lets the next block dispatch a call as root, as if the scheduler had been told to, and builds it. */
export const asRoot = async (client: Client, { method }: Tx): Promise<void> => {
  const when = (await headNumber(client)) + 1;
  await client.dev.setStorage({
    Scheduler: { Agenda: [[[when], [{ call: { Inline: method.toHex() }, origin: { system: 'Root' } }]]] },
  });
  await client.dev.newBlock();
};
