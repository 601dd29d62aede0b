/** How each engine (V8, SpiderMonkey, JavaScriptCore) names a trap, and how the native node's engine does. */
const names: readonly (readonly [engines: RegExp, native: string])[] = [
  [
    /^unreachable( executed)?|^unreachable code should not be executed/i,
    'wasm `unreachable` instruction executed',
  ],
  [/^(memory access|index) out of bounds|^out of bounds memory access/i, 'out of bounds memory access'],
  [/^(integer )?(divide|division) by zero/i, 'integer divide by zero'],
  [/^divide result unrepresentable|^integer overflow/i, 'integer overflow'],
  [
    /^float unrepresentable in integer range|^out of bounds trunc|^integer truncation/i,
    'invalid conversion to integer',
  ],
  [
    /^table index is out of bounds|^out of bounds call_indirect/i,
    'undefined element: out of bounds table access',
  ],
  [/^(null function or function|indirect call) signature mismatch/i, 'indirect call type mismatch'],
  [/^stack overflow/i, 'call stack exhausted'],
];

/**
 * The outcome of a failed runtime call in the native node's wording. The engine's message or the runtime's
 * panic follows on a separate line, where the native node prints its backtrace.
 */
export const trapText = (trap: string): string => {
  for (const [engines, native] of names) {
    const found = engines.exec(trap);
    if (found === null) continue;
    const rest = trap.slice(found[0].length).replace(/^: /, '');
    return `Execution aborted due to trap: wasm trap: ${native}${rest === '' ? '' : `\n${rest}`}`;
  }
  return trap;
};
