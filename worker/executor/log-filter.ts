import { NodeError } from '../../src/protocol/errors.ts';

/**
 * Level names in directives, `off` first, then in order of decreasing severity. A level's index is also its
 * number in directives.
 */
const names = ['off', 'error', 'warn', 'info', 'debug', 'trace'];

/** Passes lines of a target, or of all targets, up to a level: 0 error … 4 trace, -1 none. */
type Directive = { readonly target: string; readonly level: number };

/** Selects the log lines for readers that do not set their own level. */
export type LogFilter = {
  allows(target: string, level: number): boolean;
  /**
   * The most verbose level that any directive passes, numbered as in `ext_logging_max_level`: 0 off, 1 error
   * … 5 trace.
   */
  maxLevel(): number;
  /** Adds directives. Throws `BadValue` without changing anything. */
  add(directives: string): void;
  /** Restores the initial directives. */
  reset(): void;
};

/** Bounded, because every line is checked against all directives. */
const mostDirectives = 100;

const bad = (text: string, why: string): NodeError =>
  new NodeError('BadValue', `invalid filter directive ${JSON.stringify(text)}: ${why}`);

/** -1 for off; null if the text is not a level. */
const readLevel = (text: string): number | null => {
  const named = names.indexOf(text.toLowerCase());
  const place = named >= 0 ? named : /^[0-5]$/.test(text) ? Number(text) : null;
  return place === null ? null : place - 1;
};

const targetForm = /^[\w:.\-/]+$/;

/**
 * `level`, `target` (all levels) or `target=level`: the syntax of `EnvFilter` in Rust's tracing, without
 * spans and fields.
 */
const readDirective = (text: string): Directive => {
  const [target = '', levelText, ...rest] = text.split('=');
  const bare = levelText === undefined ? readLevel(target) : null;
  if (bare !== null) return { target: '', level: bare };
  if (rest.length > 0 || !targetForm.test(target))
    throw bad(text, 'expected `level`, `target` or `target=level`');
  const level = levelText === undefined ? names.length - 2 : readLevel(levelText);
  if (level === null) throw bad(text, `the levels are ${names.join(', ')}`);
  return { target, level };
};

/** Longer targets come first, so that the first match applies. */
const merge = (known: readonly Directive[], added: readonly Directive[]): readonly Directive[] => {
  const byTarget = new Map([...known, ...added].map((directive) => [directive.target, directive]));
  if (byTarget.size > mostDirectives)
    throw new NodeError('BadValue', `a filter has up to ${mostDirectives} directives`);
  return [...byTarget.values()].sort((a, b) => b.target.length - a.target.length);
};

const readAll = (text: string): Directive[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(readDirective);

/** Creates a filter with these initial directives. */
export const createLogFilter = (beginning: string): LogFilter => {
  const first = merge([], readAll(beginning));
  let directives = first;
  return {
    allows: (target, level) =>
      level <= (directives.find((directive) => target.startsWith(directive.target))?.level ?? -1),
    maxLevel: () => Math.max(0, ...directives.map(({ level }) => level + 1)),
    add: (text) => {
      directives = merge(directives, readAll(text));
    },
    reset: () => {
      directives = first;
    },
  };
};
