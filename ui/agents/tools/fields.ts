import { described, either, integer, json, optional, record, text, withDefault } from './schema.ts';

// Parameters shared by several tools, each with the description an agent reads.

export const at = () =>
  described(
    optional(either(text(), integer({ minimum: 0 }))),
    'Block: a 0x hash, a number, or "finalized". Default: the best block.',
  );

export const limit = (standard: number, maximum: number) =>
  described(
    withDefault(integer({ minimum: 1, maximum }), standard),
    `Maximum number of items, up to ${maximum}.`,
  );

export const cursor = () =>
  described(optional(text()), 'The "more" of an earlier result, to get the next page.');

export const pallet = () => described(text(), 'Pallet, such as Balances.');

export const callFields = {
  pallet: pallet(),
  call: described(text(), 'Call, such as transfer_keep_alive. describe_call lists its arguments.'),
  args: described(
    withDefault(record(json()), {}),
    'Arguments by name, as describe_call shows them. Integers may be decimal text (required beyond 2^53), bytes are 0x text, variants "Name" or {"Name": …}, accounts addresses or names such as Alice.',
  ),
};
