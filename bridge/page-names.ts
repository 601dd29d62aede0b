/** The tab that has a name: its page's origin, and what it calls itself. */
export type Tab = { readonly origin: string; readonly tab: string };

/** The names under which pages are reached; compared without regard to case. */
export type PageNames = {
  /** The name for this tab: the wanted one, or with a number if another tab has it. */
  claim(wanted: string, owner: Tab): string;
  /** The tab is gone. The name stays its own for a while, so that a reload finds it again. */
  release(name: string): void;
};

const keptMs = 60_000;
/** Paths that mean something else. */
const reserved: ReadonlySet<string> = new Set(['health', 'pass']);
const maxLength = 64;

/** What can stand in a URL without escapes. */
const toName = (wanted: string): string =>
  wanted
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\w.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, maxLength) || 'chain';

export const createPageNames = (now: () => number = Date.now): PageNames => {
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
