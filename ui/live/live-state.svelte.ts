import type { Traffic } from '../client/traffic.svelte.ts';
import type { UiNode } from '../client/ui-node.ts';
import { readTraffic } from './recording/read-recording.ts';
import { Recorder } from './recording/recorder.svelte.ts';
import { TrafficView } from './traffic/traffic-view.svelte.ts';

/** State that the Live panel keeps across visits, apart from its subscriptions. */
export class LiveState {
  readonly recorder: Recorder;
  readonly traffic: TrafficView;
  #recording = $state.raw<{ readonly name: string; readonly view: TrafficView } | null>(null);
  #fault = $state.raw<unknown>(null);

  constructor(node: UiNode, traffic: Traffic) {
    this.recorder = new Recorder(node);
    this.traffic = new TrafficView(traffic);
  }

  /** The recording being viewed. */
  get recording() {
    return this.#recording;
  }

  /** Why the last file could not be read as a recording. */
  get fault(): unknown {
    return this.#fault;
  }

  look(text: string, name: string): void {
    try {
      this.#recording = { name, view: new TrafficView(readTraffic(text)) };
      this.#fault = null;
    } catch (fault) {
      this.#fault = fault;
    }
  }
}
