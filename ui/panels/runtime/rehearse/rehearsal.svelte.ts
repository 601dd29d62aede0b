import { NodeError } from '../../../../src/protocol/errors.ts';
import {
  type RehearsalReport,
  type UpgradeChecks,
  usualMaxBlocks,
} from '../../../../src/protocol/rehearsal.ts';
import { toHex } from '../../../../src/scale/hex.ts';
import type { Answer, UiNode } from '../../../node/client/ui-node.ts';
import type { RuntimeFile } from '../../../node/session/session.svelte.ts';

type Item = Answer<'dev_subscribeRehearsal'>;
export type RehearsalProgress = Extract<Item, { kind: 'progress' }>;

export type RehearsalPhase =
  | { readonly kind: 'idle'; readonly isCanceled: boolean }
  /** `progress` is null until the first note of it. */
  | { readonly kind: 'running'; readonly progress: RehearsalProgress | null; readonly sinceMs: number }
  | { readonly kind: 'done'; readonly report: RehearsalReport; readonly file: RuntimeFile }
  | { readonly kind: 'failed'; readonly fault: unknown };

/** One rehearsal at a time, which goes on while other pages are shown. Ends with its signal. */
export class Rehearsal {
  #node: UiNode;
  #stop: (() => void) | null = null;
  phase = $state.raw<RehearsalPhase>({ kind: 'idle', isCanceled: false });
  /** Null: as the runtime has them. */
  checks = $state<UpgradeChecks | null>(null);
  /** As typed. */
  maxBlocks = $state(`${usualMaxBlocks}`);

  constructor(node: UiNode, ended: AbortSignal) {
    this.#node = node;
    ended.addEventListener('abort', () => this.#end());
  }

  /** `at`: the hash of a block; null for the best one. */
  start(file: RuntimeFile, at: string | null, maxBlocks: number): void {
    this.#end();
    this.phase = { kind: 'running', progress: null, sinceMs: performance.now() };
    const fail = (fault: unknown): void => {
      this.#stop = null;
      this.phase = { kind: 'failed', fault };
    };
    const { opened, close } = this.#node.subscribe(
      'dev_subscribeRehearsal',
      [toHex(file.bytes), this.checks, maxBlocks, at],
      'dev_unsubscribeRehearsal',
      (item) => {
        if (item.kind === 'progress') {
          if (this.phase.kind === 'running') this.phase = { ...this.phase, progress: item };
          return;
        }
        if (item.kind === 'failed') return fail(new NodeError(item.code, item.message));
        this.#stop = null;
        const { kind: _, ...report } = item;
        this.phase = { kind: 'done', report, file };
      },
    );
    this.#stop = close;
    opened.catch((fault: unknown) => {
      if (this.#stop === close) fail(fault);
    });
  }

  cancel(): void {
    this.#end();
    this.phase = { kind: 'idle', isCanceled: true };
  }

  #end(): void {
    this.#stop?.();
    this.#stop = null;
  }
}
