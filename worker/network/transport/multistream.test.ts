import { describe, expect, test } from 'vitest';
import { concatBytes, noBytes, textToBytes } from '../../bytes/bytes.ts';
import { withLength } from './framing.ts';
import { acceptNames, type Negotiation, proposeNames } from './multistream.ts';
import { everySplit } from './splits.fixture.ts';

const line = (text: string): Uint8Array => withLength(textToBytes(`${text}\n`));
const header = line('/multistream/1.0.0');

/** What a side replies to these pieces, and what it leaves unread of the last one. */
const feed = (negotiation: Negotiation, pieces: readonly Uint8Array[]) => {
  const sent: Uint8Array[] = [];
  const rest: Uint8Array[] = [];
  for (const piece of pieces) {
    const at = negotiation.outcome() === null ? negotiation.read(piece, 0, (bytes) => sent.push(bytes)) : 0;
    rest.push(piece.subarray(at));
  }
  return { sent: concatBytes(...sent), rest: concatBytes(...rest), outcome: negotiation.outcome() };
};

const knows =
  (...names: readonly string[]) =>
  (name: string) =>
    names.includes(name);

describe('the side that accepts', () => {
  test('takes the first name that it knows, and leaves what follows', () => {
    const message = Uint8Array.of(3, 1, 2, 3);
    const bytes = concatBytes(header, line('/a/1'), line('/b/1'), line('/c/1'), message);
    for (const pieces of everySplit(bytes)) {
      const side = acceptNames(knows('/c/1', '/d/1'));
      expect(side.opening).toEqual(header);
      expect(feed(side, pieces)).toEqual({
        sent: concatBytes(line('na'), line('na'), line('/c/1')),
        rest: message,
        outcome: { name: '/c/1' },
      });
    }
  });

  test('refuses somebody who has not waited for the refusal', () => {
    for (const message of [Uint8Array.of(1, 5), withLength(new Uint8Array(5000)), Uint8Array.of(2, 255, 10)])
      for (const pieces of everySplit(concatBytes(header, line('/a/1'), message)))
        expect(feed(acceptNames(knows('/c/1')), pieces)).toMatchObject({
          sent: line('na'),
          outcome: 'refused',
        });
  });

  test.each([
    ['another version', [line('/multistream/2.0.0')], /no multistream-select 1.0/],
    ['no version', [line('/c/1')], /no multistream-select 1.0/],
    ['a line without an end', [withLength(textToBytes('/multistream/1.0.0'))], /does not end/],
    ['an empty line', [withLength(noBytes)], /does not end/],
    ['a line that is no text', [header, Uint8Array.of(2, 255, 10)], /is not a text/],
    ['a name of 1,024 bytes', [header, line('x'.repeat(1024))], /more than 1024 bytes/],
    ['16 names that it does not know', [header, ...Array<Uint8Array>(16).fill(line('/a/1'))], /too many/],
  ])('refuses %s', (_name, lines, message) => {
    expect(() => feed(acceptNames(knows('/c/1')), lines)).toThrow(message);
  });

  test('bears 15 names that it does not know, and names of 1,023 bytes', () => {
    const lines = Array<Uint8Array>(15).fill(line('x'.repeat(1023)));
    expect(feed(acceptNames(knows('/c/1')), [header, ...lines, line('/c/1')]).outcome).toEqual({
      name: '/c/1',
    });
  });
});

describe('the side that proposes', () => {
  test('sends the version with the first name, and the next ones one by one', () => {
    const bytes = concatBytes(header, line('na'), line('/b/1'), Uint8Array.of(7));
    for (const pieces of everySplit(bytes)) {
      const side = proposeNames(['/a/1', '/b/1', '/c/1']);
      expect(side.opening).toEqual(concatBytes(header, line('/a/1')));
      expect(feed(side, pieces)).toEqual({
        sent: line('/b/1'),
        rest: Uint8Array.of(7),
        outcome: { name: '/b/1' },
      });
    }
  });

  test('is refused when all names are', () => {
    const side = proposeNames(['/a/1', '/b/1']);
    expect(feed(side, [header, line('na'), line('na')]).outcome).toBe('refused');
  });

  test('does not accept what it has not proposed', () => {
    const side = proposeNames(['/a/1', '/b/1']);
    expect(() => feed(side, [header, line('/b/1')])).toThrow(/was not proposed/);
  });
});
