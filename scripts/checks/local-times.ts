import type { Finding } from './findings.ts';

/** What depends on the time zone or the language of the computer, and the text of a time of day itself. */
const ways =
  /\.toLocale(?:Date|Time)?String\(|\.get(?:Hours|Minutes|Seconds|Milliseconds|Date|Day|Month|FullYear)\(|\bIntl\.DateTimeFormat\b|\.to(?:Time|Date)String\(|\bgetTimezoneOffset\b|\bclockText\b/g;

/** Where a source reads or writes a time in another way than through `kit/display/Clock.svelte`, which shows UTC. */
export const findLocalTimes = (source: string): readonly Finding[] =>
  source
    .split('\n')
    .flatMap((line, index) => [...line.matchAll(ways)].map(([text]) => ({ line: index + 1, text })));
