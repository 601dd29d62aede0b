import { untrack } from 'svelte';
import { currentFrame } from '../state/frame.ts';
import { linkWith, type Route } from '../state/route.svelte.ts';
import type { Calls } from './calls.svelte.ts';

/** How params are written. */
export type Face = 'form' | 'json';

/** Longer params make addresses that no program takes. */
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

/** Keeps the call that is written and the address in step, both ways; to be called while a component is made. */
export const followAddress = (calls: Calls, route: Route) => {
  const method = $derived(route.place.parts[0] ?? null);
  const given = $derived(route.place.query.get('params') ?? '');
  const face: Face = $derived(route.place.query.get('as') === 'json' ? 'json' : 'form');

  // The address fills the form …
  $effect(() => {
    const [name, params] = [method, given];
    const address = currentFrame().address.read();
    untrack(() => {
      // Back at the panel: what was typed last, and is not in the address yet, stays.
      if (address === calls.followed) return;
      calls.followed = address;
      if (name === null || (name === calls.method && params === calls.params.trim())) return;
      // Params too long for the address stay with their method.
      if (name === calls.method && params === '' && calls.params.length > longestParams) return;
      Object.assign(calls, { method: name, params });
    });
  });
  // … and what is typed goes into the address, once a pause comes.
  $effect(() => {
    const [name, params] = [calls.method.trim(), calls.params.trim()];
    if (untrack(() => method) === null && name === 'system_health' && params === '') return;
    const from = currentFrame().address.read();
    const timer = setTimeout(() => {
      // Somebody went elsewhere meanwhile: that counts.
      if (currentFrame().address.read() === from) route.replace(addressOf(name, params, face));
    }, pauseMs);
    return () => clearTimeout(timer);
  });

  const written = (as: Face): string => addressOf(calls.method.trim(), calls.params.trim(), as);
  return {
    /** The address names a method. */
    get named(): boolean {
      return method !== null;
    },
    get face(): Face {
      return face;
    },
    setFace: (next: Face): void => route.replace(written(next)),
    /** The whole address of the call as it is written. */
    get link(): string {
      return `${location.href.split('#', 1)[0]}${written(face)}`;
    },
  };
};
