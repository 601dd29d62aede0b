import type { ForkProgress } from '../../src/protocol/fork-source.ts';
import { createStatusLine, digits, forTerminal } from './terminal.ts';

/** After the last message, the line is removed. */
const restMs = 500;

/** What is read of a live chain, such as `Reading 140 items of Staking; 12 requests, 1.2 MB`. */
export const forkProgressText = ({ requests, bytes, items, reading }: ForkProgress): string => {
  if (requests === 0) return 'Connecting…';
  const count = reading?.keys ?? items;
  const of = reading === null ? 'the state' : [reading.pallet, reading.item ?? []].flat().join('.');
  const what = items === 0 ? 'the block' : `${digits(count)} ${count === 1 ? 'item' : 'items'} of ${of}`;
  const sums = `${digits(requests)} ${requests === 1 ? 'request' : 'requests'}, ${(bytes / 1e6).toFixed(1)} MB`;
  return forTerminal(`Reading ${what}; ${sums}`);
};

/**
 * Shows on stderr what a fork reads, as long as it does, if that is a terminal. Null: it is none.
 *
 * @returns the port for `ForkSource.progress`.
 */
export const openForkProgress = (
  stderr: Parameters<typeof createStatusLine>[0] & { readonly isTTY?: boolean } = process.stderr,
) => {
  if (stderr.isTTY !== true) return null;
  const line = createStatusLine(stderr);
  const { port1, port2 } = new MessageChannel();
  let rest: NodeJS.Timeout | undefined;
  port1.onmessage = ({ data }: MessageEvent<ForkProgress>) => {
    clearTimeout(rest);
    rest = setTimeout(line.end, restMs);
    rest.unref();
    line.show(() => forkProgressText(data));
  };
  (port1 as unknown as NodeJS.EventEmitter & { unref(): void }).unref();
  return {
    port: port2,
    /** Removes the line, before something else is written. */
    pause: line.end,
    close: (): void => {
      clearTimeout(rest);
      port1.close();
      line.end();
    },
  };
};
