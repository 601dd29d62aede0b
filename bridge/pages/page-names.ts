import { elapsedMs } from '../cli/terminal.ts';

/** Identifies the tab that owns a name: the page's origin, and the tab id that the page reports. */
export type Tab = { readonly origin: string; readonly tab: string };

/** The names of the connected pages. Names are compared case-insensitively. */
export type PageNames = {
  /** The wanted name, with a number appended if another tab has it. */
  claim(wanted: string, owner: Tab): string;
  /**
   * Called when the tab has disconnected. The name stays reserved for a while, so that the tab gets it back
   * after a reload.
   */
  release(name: string): void;
};

const keptMs = 60_000;
/** Paths with another meaning. */
const reserved: ReadonlySet<string> = new Set(['health', 'pass']);
const maxLength = 64;

/** Replaces characters that would need escapes in a URL. */
const toName = (wanted: string): string =>
  wanted
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, maxLength) || 'chain';

export const createPageNames = (now: () => number = elapsedMs): PageNames => {
  const owners = new Map<string, Tab & { readonly untilMs: number }>();
  const isFree = (name: string, { origin, tab }: Tab): boolean => {
    if (reserved.has(name.toLowerCase())) return false;
    const owner = owners.get(name.toLowerCase());
    return owner === undefined || owner.untilMs <= now() || (owner.origin === origin && owner.tab === tab);
  };
  return {
    claim: (wanted, owner) => {
      const base = toName(wanted);
      for (let count = 1; ; count += 1) {
        const name = count === 1 ? base : `${base}-${count}`;
        if (!isFree(name, owner)) continue;
        owners.set(name.toLowerCase(), { ...owner, untilMs: Number.POSITIVE_INFINITY });
        return name;
      }
    },
    release: (name) => {
      for (const [key, { untilMs }] of owners) if (untilMs <= now()) owners.delete(key);
      const owner = owners.get(name.toLowerCase());
      if (owner !== undefined) owners.set(name.toLowerCase(), { ...owner, untilMs: now() + keptMs });
    },
  };
};
