import { describe, expect, it } from 'vitest';
import { rpcTable } from '../../../src/protocol/rpc/index.ts';
import { openContext } from '../../testing/open-page.ts';
import { useRealNode } from '../../testing/real-node.ts';
import { allCommands } from './commands.ts';
import { rankCommands } from './rank.ts';

const real = useRealNode();

/** The commands of the page with the default runtime and all methods of the node, as with chains of its own. */
const openCommands = () => {
  const { context } = openContext(() => null);
  Object.defineProperty(context.metadata, 'best', { get: () => real.meta });
  const session = { book: { entries: [{ id: 'one', name: 'Development' }] }, entry: { id: 'one' } };
  return allCommands(context, session as never, Object.keys(rpcTable));
};

/** What people type, and what they look for: it is first, or among the first three. */
const queries: readonly (readonly [typed: string, first: string | null, near: string | null])[] = [
  ['metadata', 'Browse the metadata: pallets, calls, errors, docs', null],
  ['multisig', null, 'Multisig.as_multi'],
  ['transfer', 'Send a transfer', 'Balances.transfer_keep_alive'],
  ['send', 'Send', 'Send a transfer'],
  ['balance', 'Fund an account…', 'System.Account'],
  ['bug', 'Copy a bug report', null],
  ['reset', 'Snapshot, restore, reset, move the clock', null],
  ['snapshot', 'Snapshot, restore, reset, move the clock', null],
  ['time travel', 'Snapshot, restore, reset, move the clock', null],
  ['fork', null, 'Fork the chain: open a block and build on it'],
  ['fork', null, 'Fork a live chain…'],
  ['fork live', 'Fork a live chain…', null],
  ['chopsticks', 'Fork a live chain…', null],
  ['rehearse', 'Rehearse an upgrade', null],
  ['try-runtime', 'Rehearse an upgrade', null],
  ['migration', 'Rehearse an upgrade', null],
  ['dark', 'Theme: dark', null],
  ['upgrade', 'Upgrade the runtime', null],
  ['sudo', null, 'Sudo.sudo'],
  ['nonce', 'System.Account', null],
  ['events', null, 'System.Events'],
  ['finality', null, 'View epochs, voters and rounds'],
  ['export', 'Export, rename, duplicate or delete a chain…', null],
  ['delete chain', 'Export, rename, duplicate or delete a chain…', null],
  ['faucet', 'Fund an account…', null],
  ['seal', 'Seal a block now', null],
  ['decode', 'Decode bytes', null],
  ['keystore', 'See and insert keys of the node', null],
  ['logs', 'Read the log of the runtime', null],
  ['pool', 'See the transaction pool', null],
  ['mempool', 'See the transaction pool', null],
  ['epoch', 'View epochs, voters and rounds', null],
  ['new chain', 'New chain…', null],
  ['add account', 'Add or generate an account…', null],
  ['connect', 'Connect to a node…', null],
  ['compare', 'Compare two blocks', null],
  ['traffic', null, 'Watch all JSON-RPC traffic'],
  ['timestamp', null, 'Timestamp.Now'],
  ['state_getMetadata', 'state_getMetadata', null],
  ['getmetadata', null, 'state_getMetadata'],
  ['set code', null, 'System.set_code'],
  ['remark', null, 'System.remark'],
  ['batch', null, 'Utility.batch'],
  ['storage', 'Storage', null],
];

describe('the palette finds what people type', () => {
  it.each(queries)('“%s”', (typed, first, near) => {
    const found = rankCommands(openCommands(), typed).map(({ label }) => label);
    if (first !== null) expect(found[0]).toBe(first);
    if (near !== null) expect(found.slice(0, 3)).toContain(near);
  });

  it('has at least thirty such words', () => {
    expect(queries.length).toBeGreaterThanOrEqual(30);
  });
});

it('what needs special rights comes after what does not', () => {
  const found = rankCommands(openCommands(), 'transfer').map(({ label }) => label);
  expect(found.indexOf('Balances.force_transfer')).toBeGreaterThan(
    found.indexOf('Balances.transfer_keep_alive'),
  );
});
