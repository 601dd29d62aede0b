import leven from 'leven';

/** A longer text is no name that was mistyped, and comparing it would take long. */
const maxLength = 64;

/** The name that was probably meant by a mistyped one: at most every third character differs. Null: there is none. */
export const nearestName = (typed: string, names: readonly string[]): string | null => {
  if (typed.length > maxLength) return null;
  let [nearest, fewest]: [string | null, number] = [null, Math.floor(typed.length / 3) + 1];
  for (const name of names) {
    const edits = leven(typed.toLowerCase(), name.toLowerCase());
    if (edits < fewest) [nearest, fewest] = [name, edits];
  }
  return nearest;
};
