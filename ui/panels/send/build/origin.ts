/** Whether a dry run failed because the signer may not make the call, or one nested in it (sp_runtime `BadOrigin`). */
export const isBadOrigin = (failure: string): boolean => /\bBadOrigin\b/.test(failure);

/** The sentence of a call's docs that names the origin it needs; null if there is none. */
export const originDocs = (docs: string): string | null => {
  const sentences = docs.replace(/\s+/g, ' ').match(/[^.]+\.(?=\s|$)/g) ?? [];
  const found = sentences.find((sentence) => /origin/i.test(sentence) && /\bmust\b|\bonly\b/i.test(sentence));
  return found?.replace(/[`*]|\b_|_\b/g, '').replace(/^[\s#-]+/, '') ?? null;
};
