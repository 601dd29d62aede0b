import { type Connection, recordTraffic, type TrafficRecorder } from '../../../../src/index.ts';
import { throttleFrame } from '../../../kit/page/throttle.ts';
import { refusedText } from '../../../node/client/refusal-text.ts';
import type { UiNode } from '../../../node/client/ui-node.ts';

/** Maximum length of a recording in characters; recording stops there. */
const longest = 256 * 1024 * 1024;

/** Records what all clients of the node send and receive. */
export class Recorder {
  /** The node of the page; a restart replaces it. */
  node: UiNode;
  /** Opened ahead by `ready`. */
  #line: Promise<Connection> | null = null;
  #lines: string[] = [];
  #recorder = $state.raw<TrafficRecorder | null>(null);
  on = $state.raw(false);
  /** Lines so far. */
  count = $state.raw(0);
  /** Characters so far. */
  size = $state.raw(0);
  fault = $state.raw<string | null>(null);

  constructor(node: UiNode) {
    this.node = node;
  }

  /** Whether the node reports its traffic yet; earlier messages are not recorded. */
  get isOpen(): boolean {
    return this.on && this.#recorder !== null;
  }

  /** Number of messages that could not be recorded. */
  get missed(): number {
    return this.#recorder?.missed() ?? 0;
  }

  /** The recording as file content. */
  text(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  /**
   * Connects ahead, so that what is called right after `start` is recorded too; the returned function closes a
   * connection that was not used.
   */
  ready(): () => void {
    const line = (async () => this.node.connect())();
    line.catch(() => undefined);
    this.#line = line;
    return () => {
      if (this.#line !== line) return;
      this.#line = null;
      line.then(({ close }) => close()).catch(() => undefined);
    };
  }

  async start(): Promise<void> {
    if (this.on) return;
    const line = this.#line ?? this.node.connect();
    this.#line = null;
    this.on = true;
    this.#recorder = null;
    const lines: string[] = [];
    this.#lines = lines;
    /** Another recording may have started while this one was being set up. */
    const isOurs = (): boolean => this.on && this.#lines === lines;
    this.fault = null;
    this.count = 0;
    this.size = 0;
    let size = 0;
    const count = throttleFrame(() => {
      if (isOurs()) [this.count, this.size] = [lines.length, size];
    });
    const add = (line: string): void => {
      if (!isOurs() || size > longest) return;
      lines.push(line);
      size += line.length + 1;
      if (size > longest) void this.stop('The recording reached this page’s size limit and stopped.');
      count();
    };
    try {
      const recorder = await recordTraffic({ connect: () => line }, add);
      if (isOurs()) this.#recorder = recorder;
      else void recorder.stop();
    } catch (fault) {
      if (isOurs()) void this.stop(`This node does not report its traffic: ${refusedText(fault)}`);
    }
  }

  /** Resolves when the last messages are recorded. One that had not begun has nothing to tell of. */
  async stop(fault: string | null = null): Promise<void> {
    const { isOpen } = this;
    await this.#recorder?.stop();
    if (!this.on) return;
    this.on = false;
    this.count = this.#lines.length;
    this.fault =
      fault ?? (isOpen && this.count === 0 ? 'No messages were sent, so there is no recording.' : null);
  }
}
