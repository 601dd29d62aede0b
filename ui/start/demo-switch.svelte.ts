import type { DemoTraffic } from './demo-traffic.svelte.ts';

/**
 * Whether demo traffic is on, as shown in the top bar. Its code (demo-traffic.svelte.ts) is loaded only then.
 */
export class DemoSwitch {
  #on = $state(false);
  /** The traffic that was last on. */
  traffic: Pick<DemoTraffic, 'sent'> | null = null;

  get on(): boolean {
    return this.#on;
  }

  toggle(): void {
    this.#on = !this.#on;
  }
}
