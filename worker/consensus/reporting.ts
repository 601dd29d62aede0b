import type { Equivocation, Equivocations } from './equivocations.ts';
import type { ReportDeps } from './report-equivocation.ts';

/**
 * Reports stored evidence again, because a report that is not in a block yet was only in the pool, and then
 * each new one, one at a time. A runtime refuses a report that it already has. The code is loaded with the first
 * one: most nodes never make any.
 */
export const startReporting = ({
  equivocations,
  onError,
  ...deps
}: ReportDeps & {
  readonly equivocations: Pick<Equivocations, 'list' | 'onFound'>;
  readonly onError: (error: unknown) => void;
}): { close(): Promise<void> } => {
  let isClosed = false;
  let reporting: Promise<unknown> = Promise.resolve();
  const report = (found: Equivocation): void => {
    reporting = reporting
      .then(() => import('./report-equivocation.ts'))
      .then(({ reportEquivocation }) => (isClosed ? 0 : reportEquivocation(deps, found)))
      .catch(onError);
  };
  for (const found of equivocations.list()) report(found);
  equivocations.onFound(report);
  return {
    close: async () => {
      isClosed = true;
      await reporting;
    },
  };
};
