/** One difference between two values. */
export type ValueChange = { readonly path: string; readonly left: unknown; readonly right: unknown };

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The differences between two JSON values, at most `limit`; a member that is missing is undefined. */
export const diffValues = (left: unknown, right: unknown, limit: number): readonly ValueChange[] => {
  const changes: ValueChange[] = [];
  const walk = (a: unknown, b: unknown, path: string): void => {
    if (changes.length >= limit || Object.is(a, b)) return;
    if (!isBranch(a) || !isBranch(b) || Array.isArray(a) !== Array.isArray(b)) {
      changes.push({ path, left: a, right: b });
      return;
    }
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const [x, y] = [a, b].map((one) => (one as Readonly<Record<string, unknown>>)[name]);
      walk(x, y, path === '' ? name : `${path}.${name}`);
    }
  };
  walk(left, right, '');
  return changes;
};
