/**
 * Whether demo traffic is on, as shown in the top bar. Its code (demo-traffic.svelte.ts) is loaded only then.
 */
export class DemoSwitch {
  #on = $state(false);

  get on(): boolean {
    return this.#on;
  }

  toggle(): void {
    this.#on = !this.#on;
  }
}
