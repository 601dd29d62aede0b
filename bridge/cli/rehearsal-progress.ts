import type { RehearsalProgress } from '../../src/protocol/rehearsal.ts';
import { createStatusLine, digits, elapsedMs, forTerminal } from './terminal.ts';

const everyMs = 1000;

/** Such as `Read 1,200 keys, now of System.Account; 12 requests, 1.2 MB; 4 s`. `isReading`: whether requests were made since the last text. */
export const rehearsalProgressText = (
  { items, requests, bytes, reading, executed }: RehearsalProgress,
  isReading: boolean,
  ms: number,
): string => {
  const of = reading === null ? 'the state' : [reading.pallet, reading.item ?? []].flat().join('.');
  const through = executed === 0 ? '' : `, ${digits(executed)} values so far`;
  const now = isReading ? `now of ${of}` : `now executing${through}`;
  const keys = `${digits(items)} ${items === 1 ? 'key' : 'keys'}`;
  const sums = `${digits(requests)} ${requests === 1 ? 'request' : 'requests'}, ${(bytes / 1e6).toFixed(1)} MB`;
  return forTerminal(`Read ${keys}, ${now}; ${sums}; ${digits(ms / 1000)} s`);
};

/** What a rehearsal has read, on stderr, once a second: a line that is replaced on a terminal, else lines; with `json`, objects. */
export const openRehearsalProgress = (
  json: boolean,
  stderr: Parameters<typeof createStatusLine>[0] & object = process.stderr,
) => {
  let last: RehearsalProgress = { requests: 0, bytes: 0, items: 0, reading: null, executed: 0 };
  let shown = 0;
  const from = elapsedMs();
  const line = createStatusLine(stderr);
  const isTerminal = stderr.isTTY === true && !json;
  const show = (): void => {
    const text = rehearsalProgressText(last, last.requests > shown, elapsedMs() - from);
    shown = last.requests;
    if (isTerminal) line.show(() => text);
    else stderr.write(`${json ? JSON.stringify({ event: 'progress', ...last }) : text}\n`);
  };
  const timer = setInterval(show, everyMs);
  timer.unref();
  return {
    update: (progress: RehearsalProgress): void => {
      last = progress;
    },
    close: (): void => {
      clearInterval(timer);
      line.end();
    },
  };
};
