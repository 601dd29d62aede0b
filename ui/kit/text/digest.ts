/** Names of digest items by SCALE variant (sp_runtime::generic::DigestItem). */
const kinds: Readonly<Record<number, string>> = {
  0: 'other',
  4: 'consensus',
  5: 'seal',
  6: 'pre-runtime',
  8: 'code updated',
};

/** Kind and engine (`BABE`, `FRNK`, …) of one digest item. */
export const digestText = (log: string): { readonly kind: string; readonly engine: string | null } => {
  const variant = Number.parseInt(log.slice(2, 4), 16);
  const withEngine = variant >= 4 && variant <= 6;
  const engine = (log.slice(4, 12).match(/../g) ?? [])
    .map((pair) => Number.parseInt(pair, 16))
    .map((code) => (code >= 32 && code < 127 ? String.fromCharCode(code) : '.'))
    .join('');
  return { kind: kinds[variant] ?? `variant ${variant}`, engine: withEngine ? engine : null };
};
