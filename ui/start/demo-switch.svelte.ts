/** Whether demo traffic is on. Its code (demo-traffic.svelte.ts) is loaded only then; the top bar shows it. */
export class DemoSwitch {
  #on = $state(false);

  get on(): boolean {
    return this.#on;
  }

  toggle(): void {
    this.#on = !this.#on;
  }
}
