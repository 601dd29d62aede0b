import { NodeError } from '../../../src/protocol/errors.ts';
import { readAccount } from '../../../src/scale/address.ts';
import { toHex } from '../../../src/scale/hex.ts';
import { addressOf, developmentPath } from './accounts.ts';
import { findBlock } from './blocks.ts';
import { dryRun } from './dry-run.ts';
import { at, callFields } from './fields.ts';
import { described, number, text, withDefault } from './schema.ts';
import { submit } from './submit.ts';
import { type AgentAccount, type Context, tool } from './tool.ts';
import { buildCall, type CallArgs, signTransaction } from './transactions.ts';

const dryRunCall = tool({
  name: 'dry_run_call',
  title: 'Try a call',
  description:
    'Builds a call and runs it as any account in a block that is dropped, so nothing changes and no key is needed. Returns the encoded call, the outcome (for a failure with pallet, name and docs of its error), the events, the storage it would change before and after, and the fee. Use it before submit_call, and to find out why a call fails.',
  input: {
    ...callFields,
    from: described(
      withDefault(text(), 'Alice'),
      'Any account: an address, a 0x public key, or a name such as Alice.',
    ),
    at: at(),
  },
  run: async (context, args) => {
    const block = await findBlock(context, args.at);
    const meta = await context.meta.at(block.hash);
    const { name, bytes } = await buildCall(meta, args as CallArgs);
    const address = await addressOf(meta, args.from);
    const result = await dryRun(context, meta, bytes, { address, block });
    return { call: name, encoded: toHex(bytes), from: address, on: block, ...result };
  },
});

const findAccount = ({ accounts }: Context, from: string): AgentAccount | undefined =>
  accounts.find(({ name, id }) => name.toLowerCase() === from.toLowerCase() || readAccount(from) === id);

const noKey = ({ accounts }: Context): NodeError => {
  const others = accounts.map(({ name }) => `, ${name}`).join('');
  return new NodeError(
    'BadKey',
    `Only development accounts can sign: Alice … Ferdie, or a path such as //Alice//stash${others}. dry_run_call accepts any account.`,
  );
};

const submitCall = tool({
  name: 'submit_call',
  title: 'Send a transaction',
  description:
    'Builds a call, signs it with a development account or one that the server was started with, submits it and waits until it is in a block. Returns the block, the outcome (for a failure with pallet, name and docs of its error) and the decoded events.',
  writes: true,
  input: {
    ...callFields,
    from: described(
      withDefault(text(), 'Alice'),
      'A development account: Alice … Ferdie, or a path of the development phrase such as //Alice//stash; or the name or address of an account that the server was started with.',
    ),
    wait_seconds: described(
      withDefault(number({ minimum: 0, maximum: 120 }), 20),
      'How long to wait for a block.',
    ),
  },
  run: async (context, args, signal) => {
    const account = findAccount(context, args.from);
    const path = account === undefined ? developmentPath(args.from) : null;
    if (account === undefined && path === null) throw noKey(context);
    const { hash } = await findBlock(context, undefined);
    const meta = await context.meta.at(hash);
    const { bytes } = await buildCall(meta, args as CallArgs);
    const address = await addressOf(meta, account?.id ?? path ?? '');
    const sign = () => signTransaction(context, meta, bytes, { address, path, account });
    return submit(context, sign, args.wait_seconds * 1000, signal);
  },
});

export const callTools = [dryRunCall, submitCall];
