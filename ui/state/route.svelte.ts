import { createSubscriber } from 'svelte/reactivity';
import { currentFrame } from './frame.ts';

/** A place in the devtools, kept whole in the address: `#/@chain/panel/part/part?name=value`. */
export type Place = {
  /** Id of the chain, where the address names one. */
  readonly chain: string | null;
  /** Id of a panel (panels.ts); the first panel where the address names none. */
  readonly panel: string;
  /** What the panel shows: a block, a method, a pallet and an entry … */
  readonly parts: readonly string[];
  readonly query: ReadonlyMap<string, string>;
};

type Part = string | number;
type Query = Readonly<Record<string, string | number | null | undefined>>;

const home = 'chain';

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Reads the part of an address after `#`. */
export const readPlace = (hash: string): Place => {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const words = path.split('/').filter(Boolean).map(decode);
  const chain = words[0]?.startsWith('@') ? (words.shift()?.slice(1) ?? null) : null;
  const [panel = home, ...parts] = words;
  return { chain, panel, parts, query: new Map(new URLSearchParams(search)) };
};

const write = (chain: string | null, panel: string, parts: readonly Part[], query: Query): string => {
  const words = [...(chain === null ? [] : [`@${chain}`]), panel, ...parts];
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `#/${words.map((word) => encodeURIComponent(word).replace(/^%40/, '@')).join('/')}${search === '' ? '' : `?${search}`}`;
};

/** Where the devtools are now; a class that must follow it asks `Route`. */
export const here = (): Place => readPlace(currentFrame().address.read());

/** Goes to a link as a click on it does. */
export const openLink = (link: string): void => currentFrame().address.open(link);

/** The address of a place on the chain that is open, for links. */
export const linkTo = (panel: string, ...parts: readonly Part[]): string =>
  write(here().chain, panel, parts, {});

/** The same with named values: `linkWith({ at: hash }, 'storage', 'System', 'Account')`. */
export const linkWith = (query: Query, panel: string, ...parts: readonly Part[]): string =>
  write(here().chain, panel, parts, query);

/** A value that the address keeps. */
export type RouteParam = { value: string };

/** The address of a panel on another chain. */
export const linkToChain = (chain: string, panel: string = home): string => write(chain, panel, [], {});

/** Follows the address; going somewhere is an ordinary link. */
export class Route {
  /** The address at which each panel was left. */
  #left = new Map<string, string>();
  #watch = createSubscriber((update) => {
    const note = () => this.#left.set(here().panel, currentFrame().address.read());
    note();
    return currentFrame().address.watch(() => {
      note();
      update();
    });
  });

  get place(): Place {
    this.#watch();
    return here();
  }

  /** Where a panel was left; the beginning of one that is open or was not yet. */
  linkBack(panel: string): string {
    return (this.place.panel === panel ? null : this.#left.get(panel)) ?? linkTo(panel);
  }

  /** The address of this very place with some named values changed; null takes one away. */
  linkHere(change: Query): string {
    const { panel, parts, query } = this.place;
    return linkWith({ ...Object.fromEntries(query), ...change }, panel, ...parts);
  }

  /** A place at the block that is looked at: the address's `at` goes along. */
  linkAt(panel: string, parts: readonly Part[], query: Query = {}): string {
    return linkWith({ ...query, at: this.place.query.get('at') }, panel, ...parts);
  }

  go(panel: string, ...parts: readonly Part[]): void {
    openLink(linkTo(panel, ...parts));
  }

  /** A named value of the address, to be read and written in place; empty where the address has none. */
  param(name: string): RouteParam {
    const route = this;
    return {
      get value(): string {
        return route.place.query.get(name) ?? '';
      },
      set value(next: string) {
        route.replace(route.linkHere({ [name]: next || null }));
      },
    };
  }

  /** Changes the address without a step in the history, for what follows typing. */
  replace(link: string): void {
    const { address } = currentFrame();
    if (link !== address.read()) address.replace(link);
  }
}
