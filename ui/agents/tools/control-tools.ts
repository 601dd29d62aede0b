import { findBlock } from './blocks.ts';
import { at } from './fields.ts';
import { described, either, flag, integer, json, record, text, withDefault } from './schema.ts';
import { tool } from './tool.ts';

// Each tool calls one method of the table, under the name and with the parameters that an agent sees.

const sealBlocks = tool({
  name: 'seal_blocks',
  title: 'Seal blocks',
  description:
    'Seals blocks on top of the best one; the first includes the pending transactions. Returns the new best block, and which transactions were left out and why.',
  writes: true,
  input: {
    count: withDefault(integer({ minimum: 1, maximum: 1000 }), 1),
    finalize: described(withDefault(flag(), false), 'Whether to finalize the last one.'),
  },
  run: async (context, { count, finalize }) => {
    const { hash, left } = (await context.request('dev_newBlock', [{ count, finalize, report: true }])) as {
      readonly hash: string;
      readonly left: readonly unknown[];
    };
    return { ...(await findBlock(context, hash)), left };
  },
});

const finalize = tool({
  name: 'finalize',
  title: 'Finalize a block',
  description: 'Finalizes a block and its ancestors.',
  writes: true,
  destroys: true,
  input: { at: at() },
  run: async (context, args) => {
    const { hash } = await findBlock(context, args.at);
    return context.request('dev_finalise', [hash]);
  },
});

const moveTime = tool({
  name: 'move_time',
  title: 'Move time',
  description:
    'Moves the time of the chain forward: this is the earliest time of the next block. Time cannot go back; use restore to return to an earlier snapshot.',
  writes: true,
  input: {
    to: described(
      either(text(), integer()),
      'A date such as 2030-01-01T00:00:00Z, or milliseconds since 1970.',
    ),
  },
  run: async ({ request }, { to }) => {
    const ms = Number(await request('dev_timeTravel', [to]));
    return { ms, date: new Date(ms).toISOString() };
  },
});

const ofSnapshot = (name: 'snapshot' | 'restore', title: string, description: string) =>
  tool({
    name,
    title,
    description,
    writes: true,
    destroys: true,
    input: { name: described(text(1, 100), 'Snapshot name.') },
    run: ({ request }, args) => request(`dev_${name}`, [args.name]),
  });

const snapshot = ofSnapshot(
  'snapshot',
  'Take a snapshot',
  'Saves head, pool and time of the chain under a name for restore, replacing one of the same name. chain_status lists the snapshots.',
);

const restore = ofSnapshot(
  'restore',
  'Restore a snapshot',
  'Restores a snapshot. Everything that happened since is lost.',
);

const setStorage = tool({
  name: 'set_storage',
  title: 'Set storage',
  description:
    'Sets decoded values in the state of the best block by name, bypassing all rules of the runtime: {"Pallet": {"Item": value, "Map": [[["key"], value]], "$removePrefix": ["Map"]}}. Integers may be decimal text, accounts are addresses, bytes are 0x text, missing fields get defaults, null removes an entry. Returns the hash of the changed block. Other nodes can no longer follow this chain.',
  writes: true,
  destroys: true,
  input: { values: record(record(json())) },
  run: async ({ request }, { values }) => ({ hash: await request('dev_setStorage', [values]) }),
});

export const controlTools = [sealBlocks, finalize, moveTime, snapshot, restore, setStorage];
