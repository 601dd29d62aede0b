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

/** An option that a command does not have, with the one that was probably meant. `typed` begins with its dashes. */
export const unknownOption = (typed: string, names: readonly string[]): string => {
  const name = typed.startsWith('--') ? nearestName(typed.slice(2), names) : null;
  return `Unknown option '${typed}'${name === null ? ': --help lists those of the command' : `. Did you mean --${name}?`}`;
};

/** What is wrong with a command line in one sentence, from an error of `parseArgs` of Node.js. */
export const optionFault = (cause: unknown, names: readonly string[]): string => {
  if (!(cause instanceof Error)) return String(cause);
  const { message } = cause;
  const [, unknown] = /^Unknown option '([^']*)'/.exec(message) ?? [];
  if (unknown !== undefined) return unknownOption(unknown, names);
  // `Option '-b, --block <value>' argument missing`
  const [, option, what] = /^Option '(?:-\w, )?(--[\w-]+)[^']*' (.*)/.exec(message) ?? [];
  if (option === undefined) return message;
  if (what === 'argument missing') return `${option} needs a value`;
  if (what === 'argument is ambiguous.')
    return `${option} needs a value; if it begins with a dash, write ${option}=VALUE`;
  return what === 'does not take an argument' ? `${option} takes no value` : message;
};
