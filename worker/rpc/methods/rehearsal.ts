import { errorToData } from '../../../src/protocol/errors.ts';
import { type RehearsalStep, usualMaxBlocks } from '../../../src/protocol/rehearsal.ts';
import type { rehearsal as table } from '../../../src/protocol/rpc/rehearsal.ts';
import type { Handlers } from '../handlers.ts';
import { blockAt } from '../lookups.ts';
import type { RpcParts } from '../parts.ts';

/** Between two notes of progress of the same step. */
const everyMs = 200;

export const rehearsalMethods: Handlers<typeof table, Pick<RpcParts, 'chain' | 'dev'>> = {
  dev_subscribeRehearsal: async (deps, { code, checks, max_blocks, at }, sink) => {
    const ended = new AbortController();
    let shown: { readonly step: RehearsalStep | null; readonly ms: number } = { step: null, ms: 0 };
    const { report } = await deps.dev.rehearse(
      blockAt(deps, at),
      code,
      { checks: checks ?? undefined, maxBlocks: max_blocks ?? usualMaxBlocks },
      {
        signal: ended.signal,
        watch: (progress) => {
          const ms = performance.now();
          const isNew = progress.step !== shown.step;
          // A client that has fallen behind would lose the subscription, and the report with it.
          if ((!isNew && ms - shown.ms < everyMs) || sink.isBlocked()) return;
          shown = { step: progress.step, ms };
          sink.emit({ kind: 'progress', ...progress });
          sink.flush();
        },
      },
    );
    void report
      .then(
        (done) => sink.emit({ kind: 'report', ...done }),
        (error: unknown) => {
          const { code: name, message } = errorToData(error);
          sink.emit({ kind: 'failed', code: name, message });
        },
      )
      .finally(sink.end);
    return () => ended.abort();
  },
};
