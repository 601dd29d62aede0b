import { untrack } from 'svelte';
import { currentFrame } from '../page/frame.ts';
import { linkWith, type Route } from '../page/route.svelte.ts';
import type { Calls } from './calls.svelte.ts';

/** How params are entered. */
export type Face = 'form' | 'json';

/** Longer params are left out of the address: other programs may reject so long a URL. */
const longestParams = 8000;
const pauseMs = 200;

const addressOf = (method: string, params: string, face: Face): string =>
  linkWith(
    {
      params: params === '' || params.length > longestParams ? null : params,
      as: face === 'json' ? 'json' : null,
    },
    'rpc',
    ...(method === '' ? [] : [method]),
  );

/** Syncs the call being written with the address, both ways. Call it while a component initializes. */
export const followAddress = (calls: Calls, route: Route) => {
  const method = $derived(route.place.parts[0] ?? null);
  const given = $derived(route.place.query.get('params') ?? '');
  const face: Face = $derived(route.place.query.get('as') === 'json' ? 'json' : 'form');

  // From the address to the form.
  $effect(() => {
    const [name, params] = [method, given];
    const address = currentFrame().address.read();
    untrack(() => {
      // Back at the panel, keep what was typed last and is not in the address yet.
      if (address === calls.followed) return;
      calls.followed = address;
      if (name === null || (name === calls.method && params === calls.params.trim())) return;
      // Keep params that are too long for the address if the method is the same.
      if (name === calls.method && params === '' && calls.params.length > longestParams) return;
      Object.assign(calls, { method: name, params });
    });
  });
  // From the form to the address, after a pause in typing.
  $effect(() => {
    const [name, params] = [calls.method.trim(), calls.params.trim()];
    if (untrack(() => method) === null && name === 'system_health' && params === '') return;
    const from = currentFrame().address.read();
    const timer = setTimeout(() => {
      // A navigation in the meantime takes precedence.
      if (currentFrame().address.read() === from) route.replace(addressOf(name, params, face));
    }, pauseMs);
    return () => clearTimeout(timer);
  });

  const written = (as: Face): string => addressOf(calls.method.trim(), calls.params.trim(), as);
  return {
    /** Whether the address names a method. */
    get named(): boolean {
      return method !== null;
    },
    get face(): Face {
      return face;
    },
    setFace: (next: Face): void => route.replace(written(next)),
    /** The full URL of the call as written. */
    get link(): string {
      return `${location.href.split('#', 1)[0]}${written(face)}`;
    },
  };
};
