import { createSubscriber } from 'svelte/reactivity';
import { faultText } from '../../kit/text/format.ts';
import type { Answer } from '../../node/client/ui-node.ts';
import type { SharedStatus } from '../../node/node-status.svelte.ts';
import type { PageContext } from '../../node/page-context.ts';

type Stats = Answer<'dev_stats'>;

/** Measurements at one moment. */
export type Sample = {
  /** Seconds since 1970. */
  readonly at: number;
  readonly ready: number | null;
  readonly future: number | null;
  /**
   * JSON-RPC messages per second of this page since the previous sample: requests, responses and
   * notifications. Null for the first sample.
   */
  readonly rate: number | null;
  /** In megabytes (10^6 bytes). */
  readonly memoryMb: number | null;
};

const everyMs = 1000;
const keptSamples = 300;
const pageBytes = 65_536;

/** Timings and measurements of the node, sampled every second while something reads them. */
export class NodeStats {
  #context: Pick<PageContext, 'node' | 'traffic'>;
  #status: SharedStatus;
  #stats = $state.raw<Stats | null>(null);
  #samples = $state.raw<readonly Sample[]>([]);
  /** Why the node does not report its timings: dev_stats is unsafe. */
  fault = $state.raw<string | null>(null);
  #messages = 0;
  #lastMs = 0;
  #watch: () => void;

  constructor(context: Pick<PageContext, 'node' | 'traffic' | 'status'>) {
    this.#context = context;
    this.#status = context.status;
    this.#watch = createSubscriber(() => {
      this.#lastMs = performance.now();
      this.#messages = context.traffic.messages;
      void this.#take();
      const timer = setInterval(() => void this.#take(), everyMs);
      return () => clearInterval(timer);
    });
  }

  get stats(): Stats | null {
    this.#watch();
    return this.#stats;
  }

  get samples(): readonly Sample[] {
    this.#watch();
    return this.#samples;
  }

  async #take(): Promise<void> {
    const { traffic } = this.#context;
    const now = performance.now();
    const seconds = (now - this.#lastMs) / 1000;
    const { messages } = traffic;
    const more = messages - this.#messages;
    this.#lastMs = now;
    this.#messages = messages;
    try {
      const stats = await this.#read();
      // The top bar keeps it up to date.
      const { ready = null, future = null } = this.#status.last ?? {};
      const memoryMb = stats === null ? null : (stats.wasm.pages * pageBytes) / 1e6;
      const sample: Sample = {
        at: Date.now() / 1000,
        ready,
        future,
        rate: seconds < 0.1 ? null : more / seconds,
        // Before the first instance there is nothing to measure; later, none is a measurement.
        memoryMb: memoryMb === 0 && (this.#samples.at(-1)?.memoryMb ?? null) === null ? null : memoryMb,
      };
      this.#stats = stats;
      this.#samples = [...this.#samples.slice(1 - keptSamples), sample];
    } catch {
      // If the node has just stopped, this is reported elsewhere.
    }
  }

  async #read(): Promise<Stats | null> {
    const { node } = this.#context;
    if (!node.offers('dev_stats')) return null;
    try {
      const stats = await node.rpc.dev_stats();
      this.fault = null;
      return stats;
    } catch (fault) {
      this.fault = faultText(fault);
      return null;
    }
  }
}
