/** Verbosity levels; a higher index includes more. */
export const traceLevels = ['error', 'warn', 'info', 'debug', 'trace'] as const;
export type TraceLevel = (typeof traceLevels)[number];

type Target = { readonly prefix: string; readonly level: number };

const trace = traceLevels.indexOf('trace');

/** A level's name, or 1 (error) to 5 (trace); anything else enables all levels. */
const parseLevel = (text: string): number => {
  const named = traceLevels.indexOf(text.toLowerCase() as TraceLevel);
  const level = named >= 0 ? named : /^[1-5]$/.test(text) ? Number(text) - 1 : trace;
  return level;
};

const parseTarget = (text: string): Target => {
  const at = text.indexOf('=');
  return at < 0
    ? { prefix: text, level: trace }
    : { prefix: text.slice(0, at), level: parseLevel(text.slice(at + 1)) };
};

/** A comma-separated list of prefixes, each with an optional `=level` (sc-tracing, `parse_target`). */
export const createTraceFilter = (list: string): ((text: string, level: TraceLevel) => boolean) => {
  const targets = list.split(',').map(parseTarget);
  return (text, level) => {
    const wanted = traceLevels.indexOf(level);
    return targets.some((target) => text.startsWith(target.prefix) && wanted <= target.level);
  };
};
