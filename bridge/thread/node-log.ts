import { subscribe } from 'node:diagnostics_channel';
import { createConnection } from '../../src/connection.ts';
import { errorToLog, NodeError } from '../../src/protocol/errors.ts';
import { JsonRpcError } from '../../src/protocol/json-rpc/json-rpc-error.ts';
import type { ConnectOptions } from '../../src/protocol/node.ts';
import type { OptionTable } from '../cli/command.ts';

/** The SDK's log flags. */
export const logOptions = {
  log: { by: 'any', type: 'string', short: 'l', multiple: true },
  'detailed-log-output': { by: 'any', type: 'boolean' },
} as const satisfies OptionTable;

/** What is logged. `directives` has the syntax of `system_addLogFilter`. */
export type LogSettings = { readonly directives: string; readonly isDetailed: boolean };

const levels = ['off', 'error', 'warn', 'info', 'debug', 'trace'] as const;
type Level = (typeof levels)[number];

/**
 * The level of a target: its own, or else the one for all targets, as in `debug,rpc=off`. The SDK's default
 * is info. A target without a level logs everything.
 */
const levelOf = (directives: string, target: string): Level => {
  let common: Level = 'info';
  let own: Level | null = null;
  for (const directive of directives.split(',')) {
    const [name = '', level = 'trace'] = directive.trim().toLowerCase().split('=');
    if (name === target) own = levels.find((one) => one === level) ?? own;
    else if (level === 'trace') common = levels.find((one) => one === name) ?? common;
  }
  return own ?? common;
};

/** As in the SDK, a level above `info` for any target makes all lines detailed. Null: nothing is logged. */
export const toLogSettings = (values: {
  readonly log?: readonly string[] | undefined;
  readonly 'detailed-log-output'?: boolean | undefined;
}): LogSettings | null => {
  const isDetailed = values['detailed-log-output'] === true;
  if (values.log === undefined && !isDetailed) return null;
  const directives = (values.log ?? []).join(',');
  return { directives, isDetailed: isDetailed || /(debug|trace)\b/i.test(directives) };
};

/** A log line of the node (`dev_subscribeLogs`). */
type Line = { readonly at: number; readonly level: string; readonly target: string; readonly text: string };

/** A message of a client (`dev_subscribeTraffic`). */
type Message = {
  readonly kind: 'request' | 'answer' | 'notification' | 'close';
  readonly connection: number;
  readonly transport: string;
  readonly atMs: number;
  readonly method: string | null;
  readonly ms: number | null;
  readonly isError: boolean;
  readonly length: number;
  readonly text: string;
};

/** Local time in the format of native nodes. */
const timeOf = (atMs: number, withMs: boolean): string => {
  const date = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(two).join('-');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${day} ${time}${withMs ? `.${String(date.getMilliseconds()).padStart(3, '0')}` : ''}`;
};

/**
 * A client controls part of the text, which must neither start a line nor send escape sequences to the
 * terminal.
 */
const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, (sign) => JSON.stringify(sign).slice(1, -1));

const formatLine = ({ at, level, target, text }: Line, isDetailed: boolean): string =>
  isDetailed
    ? `${timeOf(at, true)} ${level.toUpperCase().padStart(5)} ${plain(target)}: ${plain(text)}`
    : `${timeOf(at, false)} ${plain(text)}`;

/** `debug` shows each call with its duration, `trace` each message. */
const describeMessage = (message: Message, isTrace: boolean): Line | null => {
  const { kind, connection, transport, method, ms, isError, length, text, atMs } = message;
  const line = (level: Level, what: string): Line => ({
    at: atMs,
    level,
    target: 'rpc',
    text: `${transport} ${connection}: ${what}`,
  });
  if (isTrace) return line('trace', `${kind}${kind === 'close' ? '' : ` ${text}`}`);
  if (kind === 'close') return line('debug', 'closed');
  if (kind !== 'answer') return null;
  const outcome = isError ? text : `${length} characters`;
  return line('debug', `${method ?? 'unreadable'} ${(ms ?? 0).toFixed(1)} ms, ${outcome}`);
};

type Write = (line: string) => void;
type OpenNode = (options: ConnectOptions) => Promise<MessagePort>;

const followLines = async (openPort: OpenNode, settings: LogSettings, log: (line: Line) => void) => {
  const connection = createConnection(await openPort({ dialect: 'psp-6', denyUnsafe: false }));
  const { directives } = settings;
  if (directives !== '') await connection.request('system_addLogFilter', [directives]);
  await connection.subscribe('dev_subscribeLogs', [], (line) => log(line as Line));
  const level = levelOf(directives, 'rpc');
  if (level !== 'debug' && level !== 'trace') return;
  const isTrace = level === 'trace';
  await connection.subscribe('dev_subscribeTraffic', [isTrace ? 2000 : 200], (item) => {
    const { items, dropped } = item as { readonly items: readonly Message[]; readonly dropped: number };
    for (const message of items) {
      const line = describeMessage(message, isTrace);
      if (line !== null) log(line);
    }
    if (dropped > 0)
      log({ at: Date.now(), level: 'warn', target: 'rpc', text: `${dropped} messages are not shown` });
  });
};

/**
 * Writes the node's log lines and its clients' calls, and also the errors that the node would otherwise print
 * itself. Throws `BadConfig` for invalid directives.
 */
export const startNodeLog = async (
  openPort: OpenNode,
  settings: LogSettings,
  write: Write,
): Promise<void> => {
  const log = (line: Line): void => write(formatLine(line, settings.isDetailed));
  const isSilent = levelOf(settings.directives, 'node') === 'off';
  subscribe('tabnode:error', (error) => {
    if (isSilent) return;
    const text = errorToLog(error);
    log({ at: Date.now(), level: 'error', target: 'node', text });
  });
  try {
    await followLines(openPort, settings, log);
  } catch (cause) {
    if (!(cause instanceof JsonRpcError)) throw cause;
    const why = typeof cause.data === 'string' ? cause.data : cause.message;
    throw new NodeError('BadConfig', `--log: ${why}`, { cause });
  }
};
