import { currentFrame } from '../../kit/page/frame.ts';
import { linkWith, openLink, type Route } from '../../kit/page/route.svelte.ts';
import type { CallText } from '../../values/call/written-call.svelte.ts';

/** How params are entered. */
export type Face = 'form' | 'json';

/** The call that a new panel shows. */
const firstMethod = 'system_health';
/** Longer params are left out of the address: other programs may reject so long a URL. */
const longestParams = 8000;
const pauseMs = 200;

/** The call being written. A navigation to a call replaces it; what is typed goes to the address after a pause. */
export class CallAddress implements CallText {
  #route: Route;
  #method = $state.raw(firstMethod);
  #params = $state.raw('');
  #ownerOf: (name: string) => string | null;
  #isSecret: (method: string, params: string) => boolean;
  /** The known method that the params were written for. */
  #owner: string | null = null;
  #isTyped = false;
  /** The address of the panel that was read last. */
  #seen: string | null = null;
  #isOpen = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * `ownerOf` returns the known method with this name or alias; null if there is none. `isSecret` tells whether
   * params have a secret.
   */
  constructor(
    route: Route,
    ownerOf: (name: string) => string | null,
    isSecret: (method: string, params: string) => boolean,
  ) {
    this.#route = route;
    this.#ownerOf = ownerOf;
    this.#isSecret = isSecret;
  }

  /** Follows the address from now on. */
  follow(ended: AbortSignal): void {
    this.#read();
    const leave = currentFrame().address.watch(() => this.#read());
    ended.addEventListener('abort', leave, { once: true });
  }

  get method(): string {
    return this.#method;
  }

  set method(next: string) {
    this.#isTyped = false;
    this.#owner = this.#ownerOf(next.trim());
    if (next === this.#method) return;
    this.#method = next;
    this.#writeSoon();
  }

  /** Changes the method as its text is typed: another known method starts without params, as in the list. */
  typeMethod(next: string): void {
    const owner = this.#ownerOf(next.trim());
    if (owner !== null && owner !== this.#owner) {
      this.#params = '';
      this.#owner = owner;
    }
    this.#method = next;
    this.#isTyped = true;
    this.#writeSoon();
  }

  get params(): string {
    return this.#params;
  }

  set params(next: string) {
    if (next === this.#params) return;
    this.#params = next;
    this.#writeSoon();
  }

  /** Whether the address names a method. */
  get isNamed(): boolean {
    return this.#route.place.parts.length > 0;
  }

  get face(): Face {
    return this.#route.place.query.get('as') === 'json' ? 'json' : 'form';
  }

  set face(next: Face) {
    this.#route.replace(this.#linkAs(next));
  }

  /**
   * Whether the params have a secret: they go neither to the address nor to any storage. Also while the name of the
   * method that they were written for is being changed.
   */
  get isSecret(): boolean {
    const written = this.#method.trim();
    return [this.#owner ?? written, written].some((name) => this.#isSecret(name, this.#params));
  }

  /**
   * The full URL of the call as written, without the params if they have a secret. Null if the devtools are embedded: the
   * URL is the host page's, and no link leads to a place in them.
   */
  get link(): string | null {
    if (currentFrame().root !== document) return null;
    return `${location.href.split('#', 1)[0]}${this.#linkAs(this.face)}`;
  }

  #linkAs(face: Face): string {
    const [method, params] = [this.#method.trim(), this.#params.trim()];
    const query = {
      params: params === '' || params.length > longestParams || this.isSecret ? null : params,
      as: face === 'json' ? 'json' : null,
    };
    return linkWith(query, 'rpc', ...(method === '' ? [] : [method]));
  }

  #read(): void {
    const { panel, parts, query } = this.#route.place;
    const [name] = parts;
    const address = currentFrame().address.read();
    const wasOpen = this.#isOpen;
    this.#isOpen = panel === 'rpc';
    if (!this.#isOpen) return;
    // Back at the panel, keep what was typed last and is not in the address yet.
    if (!wasOpen && (name === undefined || address === this.#seen)) this.#writeSoon();
    if (name === undefined || address === this.#seen) return;
    this.#seen = address;
    const params = query.get('params') ?? '';
    const [written, typed] = [this.#method.trim(), this.#params.trim()];
    const isLeftOut = params === '' && (typed.length > longestParams || this.isSecret);
    if (name === written && (params === typed || isLeftOut)) return;
    this.#method = name;
    this.#params = params;
    this.#owner = this.#ownerOf(name);
    this.#isTyped = false;
    // A link had a secret: it does not stay in the address.
    if (params !== '' && this.isSecret) this.#writeSoon();
  }

  /** Whether the address has another method, which Back should return to. */
  #isOther(): boolean {
    const [name = ''] = this.#route.place.parts;
    return name !== this.#method.trim() && this.#ownerOf(name) !== null;
  }

  /** Writes the call to the address without waiting, because a reload would otherwise bring back the one before it. */
  writeNow(): void {
    clearTimeout(this.#timer);
    const isFirst = this.#method.trim() === firstMethod && this.#params.trim() === '';
    // The call of a new panel does not go to the address.
    if (!this.#isOpen || (isFirst && !this.isNamed)) return;
    const link = this.#linkAs(this.face);
    if (this.#isTyped && this.#isOther()) openLink(link);
    else this.#route.replace(link);
    this.#isTyped = false;
    // Text that is typed before the navigation is noticed is kept.
    this.#seen = currentFrame().address.read();
  }

  #writeSoon(): void {
    clearTimeout(this.#timer);
    const from = currentFrame().address.read();
    this.#timer = setTimeout(() => {
      // A navigation in the meantime takes precedence.
      if (currentFrame().address.read() === from) this.writeNow();
    }, pauseMs);
  }
}
