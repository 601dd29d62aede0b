import * as z from 'zod';

// Parameters shared by several tools, each with the description an agent reads.

export const at = () =>
  z
    .union([z.string(), z.number().int().nonnegative()])
    .optional()
    .describe('Block: a 0x hash, a number, or "finalized". Default: the best block.');

export const limit = (standard: number, most: number) =>
  z.number().int().min(1).max(most).default(standard).describe(`Maximum number of items, up to ${most}.`);

export const cursor = () =>
  z.string().optional().describe('The "more" of an earlier result, to get the next page.');

export const pallet = () => z.string().describe('Pallet, such as Balances.');

export const callFields = {
  pallet: pallet(),
  call: z.string().describe('Call, such as transfer_keep_alive. describe_call lists its arguments.'),
  args: z
    .record(z.string(), z.json())
    .default({})
    .describe(
      'Arguments by name, as describe_call shows them. Integers may be decimal text (required beyond 2^53), bytes are 0x text, variants "Name" or {"Name": …}, accounts addresses or names such as Alice.',
    ),
};
