/** Whether demo traffic is switched on. Its code (demo-traffic.svelte.ts) loads when it is, and shows itself in the top bar. */
export class DemoSwitch {
  #on = $state(false);

  get on(): boolean {
    return this.#on;
  }

  toggle(): void {
    this.#on = !this.#on;
  }
}
