import { linkTo } from '../../../kit/page/route.svelte.ts';

/** What to change in a call that would fail, and where to find the values it needs. */
export type FailureHint = {
  readonly text: string;
  readonly link?: { readonly label: string; readonly href: string };
};

const openMultisigs = {
  label: 'Open multisigs in Storage',
  href: linkTo('storage', 'Multisig', 'Multisigs'),
};
const timepoint =
  'The timepoint is the block number and the extrinsic index of the first approval. It is the field “when” of the open multisig.';

/** Errors whose docs do not say how to mend the call (pallet-multisig, `Error`). */
const hints: ReadonlyMap<string, FailureHint> = new Map([
  [
    'Multisig.SignatoriesOutOfOrder',
    {
      text: 'Order other_signatories by public key, the lowest first. Their addresses have the same order: digits before capitals before small letters.',
    },
  ],
  ['Multisig.NoTimepoint', { text: timepoint, link: openMultisigs }],
  ['Multisig.WrongTimepoint', { text: timepoint, link: openMultisigs }],
  [
    'Multisig.UnexpectedTimepoint',
    { text: 'No multisig is open for this call. The first approval has no timepoint: set it to None.' },
  ],
  [
    'Multisig.MaxWeightTooLow',
    {
      text: 'This approval executes the call. Set max_weight to at least the weight that the call has when it is sent on its own.',
    },
  ],
]);

/** The hint for a failure as a dry run words it, `Pallet.Error: docs`; null if there is none. */
export const failureHint = (failure: string): FailureHint | null =>
  hints.get(/^\w+\.\w+/.exec(failure)?.[0] ?? '') ?? null;
