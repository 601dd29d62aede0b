import { writeIndentedJson } from '../../../src/protocol/json.ts';
import { countText } from '../../kit/text/format.ts';
import type { Exchange } from '../../node/client/exchange.ts';

/** The contents of a report. */
export type ReportParts = {
  readonly version: string;
  readonly browser: string;
  /** The node's status; null if it could not be read. */
  readonly status: object | null;
  /** The node's timings (dev_stats); null if they could not be read. */
  readonly stats: object | null;
  readonly exchanges: readonly Exchange[];
};

const mostErrors = 10;
const mostMethods = 15;
const longestText = 300;

const cut = (text: string): string => (text.length <= longestText ? text : `${text.slice(0, longestText)}…`);

/** Code and message of an error: as thrown for this page's calls, as received for those of other clients. */
const faultWords = ({ ask, answer }: Exchange): string => {
  // Leave out everything about a call with a secret, even the node's message.
  if (ask.kind === 'text' && ask.text === '"(hidden)"') return '(hidden)';
  if (answer?.kind !== 'value') return answer?.kind === 'text' ? answer.text : '(no longer kept)';
  const { code, message = String(answer.value) } = (answer.value ?? {}) as {
    readonly code?: unknown;
    readonly message?: unknown;
  };
  return code === undefined ? String(message) : `${String(code)}: ${String(message)}`;
};

const errorLine = (exchange: Exchange): string => {
  const { atMs, client, method, ms } = exchange;
  const at = new Date(atMs).toISOString();
  return `${at} ${client} ${method} (${Math.round(ms ?? 0)} ms): ${cut(faultWords(exchange))}`;
};

const timingLines = (exchanges: readonly Exchange[]): readonly string[] =>
  [...Map.groupBy(exchanges, ({ method }) => method)]
    .map(([method, all]) => {
      const times = all.flatMap(({ ms }) => (ms === null ? [] : [ms])).sort((a, b) => a - b);
      const median = times[Math.floor(times.length / 2)] ?? 0;
      return { method, count: all.length, median, longest: times.at(-1) ?? 0 };
    })
    .sort((a, b) => b.longest - a.longest)
    .slice(0, mostMethods)
    .map(
      ({ method, count, median, longest }) =>
        `${method}: ${countText(count, 'call')}, median ${median.toFixed(1)} ms, longest ${longest.toFixed(1)} ms`,
    );

const json = (value: object | null): string =>
  value === null ? 'not available' : writeIndentedJson(value, 1);

const section = (title: string, lines: readonly string[]): string =>
  `## ${title}\n\n\`\`\`\n${lines.length === 0 ? 'none' : lines.join('\n')}\n\`\`\``;

/** A bug report in Markdown. Arguments and results of calls are left out, as they may contain secrets. */
export const reportText = ({ version, browser, status, stats, exchanges }: ReportParts): string =>
  [
    section('Versions', [`Tabnode ${version}`, browser]),
    section('Status', [json(status)]),
    section(
      'Last errors',
      exchanges
        .filter(({ state }) => state === 'error' || state === 'unanswered')
        .slice(-mostErrors)
        .map(errorLine),
    ),
    section('Calls, slowest first', timingLines(exchanges)),
    section('Timings', [json(stats)]),
  ].join('\n\n');
