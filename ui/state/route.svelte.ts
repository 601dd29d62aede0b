import { createSubscriber } from 'svelte/reactivity';

/** The place in the devtools, kept in the address: `#/chain`, `#/chain/12`, `#/rpc`, `#/rpc/system_name`. */
export type Place = { readonly view: 'chain' | 'rpc'; readonly item: string | null };

const read = (hash: string): Place => {
  const [view, item] = hash.replace(/^#\/?/, '').split('/');
  return { view: view === 'rpc' ? 'rpc' : 'chain', item: item ? decodeURIComponent(item) : null };
};

/** The address of a place, for links. */
export const linkTo = (view: Place['view'], item?: string | number): string =>
  item === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(item)}`;

/** Follows the address; going somewhere is an ordinary link. */
export class Route {
  #watch = createSubscriber((update) => {
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  });

  get place(): Place {
    this.#watch();
    return read(location.hash);
  }

  go(view: Place['view'], item?: string | number): void {
    location.hash = linkTo(view, item);
  }
}
