/** Why a call trapped, as far as both sides say so in words that can be matched. */
type Reason = 'allocator' | 'argument' | 'context' | 'secret' | 'missing';

const reasons: readonly (readonly [Reason, RegExp])[] = [
  ['allocator', /allocat|Freeing|free list|out of space/],
  ['secret', /soft derivation|ValidationError|secret URI|valid utf8/],
  ['missing', /not offered|missing (host )?function/],
  [
    'context',
    /[Nn]o `?keystore|not available in this call|can be called only|[Nn]o (open|storage) transaction|batch|VerificationExt/,
  ],
  [
    'argument',
    /outside the memory|out of bounds|marshal|[Nn]ot enough data|compact number|Option tag|items announced|state version|log level|UTF-8|kind of offchain storage|traced value|span id|span IDs|is not a bool/,
  ],
];

const reasonOf = (trap: string): Reason | null =>
  // What was marshalled decides where several words match, since a native node names the function's types.
  /marshal/.test(trap) ? 'argument' : (reasons.find(([, pattern]) => pattern.test(trap))?.[0] ?? null);

/**
 * Whether two traps have the same reason. A native node decodes all arguments before it looks for an extension
 * or into the state, and ours does not always: either trap ends the call the same way. A reason that is not
 * known equals none.
 */
export const sameReason = (ours: string, native: string): boolean => {
  const [a, b] = [reasonOf(ours), reasonOf(native)];
  return a !== null && (a === b || (b === 'argument' && (a === 'context' || a === 'secret')));
};
