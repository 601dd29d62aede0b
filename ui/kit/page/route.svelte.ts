import { createSubscriber } from 'svelte/reactivity';
import { currentFrame } from './frame.ts';

/** A place in the devtools, stored in the URL: `#/@chain/panel/part/part?name=value`. */
export type Place = {
  /** Id of the chain; null if the URL names none. */
  readonly chain: string | null;
  /** Id of a panel (panels.ts); the first panel if the URL names none. */
  readonly panel: string;
  /** Path within the panel: a block, a method, a pallet and an entry … */
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

/** Parses the part of a URL after `#`. */
export const readPlace = (hash: string): Place => {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const words = path.split('/').filter(Boolean).map(decode);
  const chain = words[0]?.startsWith('@') ? (words.shift()?.slice(1) ?? null) : null;
  const [panel = home, ...parts] = words;
  return { chain, panel, parts, query: new Map(new URLSearchParams(search)) };
};

const write = (chain: string | null, panel: string, parts: readonly Part[], query: Query): string => {
  const words = [...(chain === null ? [] : [`@${chain}`]), panel, ...parts];
  const pairs = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return `#/${words.map((word) => encodeURIComponent(word).replace(/^%40/, '@')).join('/')}${search === '' ? '' : `?${search}`}`;
};

/** The current place, not reactive; use `Route` to follow changes. */
export const here = (): Place => readPlace(currentFrame().address.read());

/** Navigates to a link as a click on it would. */
export const openLink = (link: string): void => currentFrame().address.open(link);

/** Link to a place on the open chain. */
export const linkTo = (panel: string, ...parts: readonly Part[]): string =>
  write(here().chain, panel, parts, {});

/** Like `linkTo`, with query parameters: `linkWith({ at: hash }, 'storage', 'System', 'Account')`. */
export const linkWith = (query: Query, panel: string, ...parts: readonly Part[]): string =>
  write(here().chain, panel, parts, query);

/** A query parameter of the URL. */
export type RouteParam = { value: string };

/** Link to a panel on another chain. */
export const linkToChain = (chain: string, panel: string = home): string => write(chain, panel, [], {});

/** The current place, reactive. Navigation uses ordinary links. */
export class Route {
  /** The last URL of each panel of each chain, by the link to its start. */
  #left = new Map<string, string>();
  #watch = createSubscriber((update) => {
    const note = () => this.#left.set(linkTo(here().panel), currentFrame().address.read());
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

  /** Link to a panel's last place; to its start if it is open or was never visited. */
  linkBack(panel: string): string {
    const start = linkTo(panel);
    return (this.place.panel === panel ? null : this.#left.get(start)) ?? start;
  }

  /** Link to the current place with some query parameters changed; null removes one. */
  linkHere(change: Query): string {
    const { panel, parts, query } = this.place;
    return linkWith({ ...Object.fromEntries(query), ...change }, panel, ...parts);
  }

  /** Link to a place at the block being viewed: keeps the `at` parameter. */
  linkAt(panel: string, parts: readonly Part[], query: Query = {}): string {
    return linkWith({ ...query, at: this.place.query.get('at') }, panel, ...parts);
  }

  go(panel: string, ...parts: readonly Part[]): void {
    openLink(linkTo(panel, ...parts));
  }

  /** A query parameter that can be read and written; empty if the URL does not have it. */
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

  /** Changes the URL without adding a history entry, for changes made while typing. */
  replace(link: string): void {
    const { address } = currentFrame();
    if (link !== address.read()) address.replace(link);
  }
}
