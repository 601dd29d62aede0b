/**
 * Number of edits that turn one text into the other: a character is inserted, removed or replaced, or two neighbors are swapped
 * (optimal string alignment).
 */
const countEdits = (from: string, to: string): number => {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const edits = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      next.push(isSwapped ? Math.min(edits, (before[column - 2] ?? 0) + 1) : edits);
    }
    before = last;
    last = next;
  }
  return last[to.length] ?? 0;
};

/** A longer text is no name that was mistyped, and comparing it would take long. */
const maxLength = 64;

/** The name that was probably meant by a mistyped one: at most every fourth character differs. Null: there is none. */
export const nearestName = (typed: string, names: readonly string[]): string | null => {
  if (typed.length > maxLength) return null;
  let [nearest, fewest]: [string | null, number] = [null, Math.floor(typed.length / 4) + 1];
  for (const name of names) {
    const edits = countEdits(typed.toLowerCase(), name.toLowerCase());
    if (edits < fewest) [nearest, fewest] = [name, edits];
  }
  return nearest;
};
