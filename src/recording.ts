import { NodeError } from './protocol/errors.ts';

/** One JSON-RPC text of a recording. */
export type RecordedMessage = {
  /** Number of the client, from 1 in the order they connected. */
  readonly client: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** `out`: from the client to the node. */
  readonly direction: 'out' | 'in';
  readonly text: string;
};

/**
 * The line format of @polkadot-api/logs-provider 0.2.0: `client-time->>-text` for what a client sends, `<<`
 * for what it receives, the time in ISO 8601 with milliseconds, the text on one line.
 */
const lineShape = /^(\d{1,9})-(.{24})-(<<|>>)-(.*)$/;

/** One line, without its end. JSON texts may span several lines; line breaks between tokens become spaces. */
export const writeRecordLine = ({ client, atMs, direction, text }: RecordedMessage): string =>
  `${client}-${new Date(atMs).toISOString()}-${direction === 'out' ? '>>' : '<<'}-${text.replace(/[\r\n]+/g, ' ')}`;

/**
 * Reads a recording; throws NodeError `BadRecording` with the number of the first invalid line. Empty lines
 * are skipped.
 */
export const readRecording = (recording: string): readonly RecordedMessage[] => {
  const messages: RecordedMessage[] = [];
  for (const [index, line] of recording.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const [, client, date = '', arrow, text = ''] = lineShape.exec(line) ?? [];
    const atMs = Date.parse(date);
    if (client === undefined || Number.isNaN(atMs)) {
      const details = { line: index + 1 };
      throw new NodeError('BadRecording', `Line ${index + 1} is not a line of a recording`, { details });
    }
    messages.push({ client: Number(client), atMs, direction: arrow === '>>' ? 'out' : 'in', text });
  }
  return messages;
};
