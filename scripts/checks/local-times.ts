/** Where a source reads or writes a time in another way than through `kit/display/Clock.svelte`; lines count from 1. */
export type LocalTime = { readonly line: number; readonly words: string };

/** What depends on the time zone or the language of the computer, and the text of a time of day itself. */
const ways =
  /\.toLocale(?:Date|Time)?String\(|\.get(?:Hours|Minutes|Seconds|Milliseconds|Date|Day|Month|FullYear)\(|\bIntl\.DateTimeFormat\b|\.to(?:Time|Date)String\(|\bgetTimezoneOffset\b|\bclockText\b/g;

/** The page shows all times in UTC: one component writes them, and has the local time in its title. */
export const findLocalTimes = (source: string): readonly LocalTime[] =>
  source
    .split('\n')
    .flatMap((text, index) => [...text.matchAll(ways)].map(([words]) => ({ line: index + 1, words })));
