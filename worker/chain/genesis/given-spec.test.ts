import { mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { textToBytes } from '../../bytes/bytes.ts';
import type { BlockHash } from '../../codec/identity.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { readGivenSpec } from './given-spec.ts';
import { parseChainSpec } from './parse-spec.ts';
import { openSpecFile } from './spec-file.ts';

const { blake2b256 } = await loadCrypto();
const genesisHash = `0x${'11'.repeat(32)}` as BlockHash;

const textWith = (value: string, more = ''): string =>
  `{"name":"n","id":"i"${more},"genesis":{"raw":{"top":{"0x01":"${value}"},"childrenDefault":{}}}}`;

const givenAs = (text: string, stamp: string | null) => {
  const read = vi.fn(async () => textToBytes(text));
  return { stamp, read };
};

const readValue = async ({ spec }: Awaited<ReturnType<typeof readGivenSpec>>): Promise<unknown> => {
  const { genesis } = spec;
  const state = genesis.kind === 'unread' ? await genesis.load() : genesis;
  return state.kind === 'raw' ? state.top[0]?.[1] : state;
};

describe('a specification that was given as a text or a file', () => {
  it('is not read again if its stamp is the same, and not parsed again if its text is', async () => {
    const first = await readGivenSpec(blake2b256, givenAs(textWith('0xaa'), 'one'), null);
    expect(first.genesis).toBeUndefined();
    expect(await readValue(first)).toEqual(Uint8Array.of(0xaa));
    const record = first.remember?.(genesisHash) ?? null;
    const same = givenAs(textWith('0xaa'), 'one');
    const again = await readGivenSpec(blake2b256, same, record);
    expect(same.read).not.toHaveBeenCalled();
    expect(again).toMatchObject({
      genesis: genesisHash,
      identity: first.identity,
      spec: { name: 'n', id: 'i' },
    });
    expect(again.remember?.(genesisHash)).toBeNull();
    expect(await readValue(again)).toEqual(Uint8Array.of(0xaa));
    const touched = await readGivenSpec(blake2b256, givenAs(textWith('0xaa'), 'two'), record);
    expect(touched.genesis).toBe(genesisHash);
    expect(touched.remember?.(genesisHash)).not.toBeNull();
  });

  it('is another one if its text differs, whatever the database remembers', async () => {
    const first = await readGivenSpec(blake2b256, givenAs(textWith('0xaa'), null), null);
    const record = first.remember?.(genesisHash) ?? null;
    for (const stamp of [null, 'new']) {
      const other = await readGivenSpec(blake2b256, givenAs(textWith('0xab'), stamp), record);
      expect(other.genesis).toBeUndefined();
      expect(other.identity).not.toEqual(first.identity);
      expect(await readValue(other)).toEqual(Uint8Array.of(0xab));
    }
  });

  it('whose state is needed later must still have it', async () => {
    let text = textWith('0xaa');
    const given = { stamp: null, read: async () => textToBytes(text) };
    const sourced = await readGivenSpec(blake2b256, given, null);
    sourced.release?.();
    expect(await readValue(sourced)).toEqual(Uint8Array.of(0xaa));
    text = textWith('0xab');
    await expect(readValue(sourced)).rejects.toMatchObject({
      code: 'BadSpec',
      message: expect.stringContaining('changed'),
    });
  });

  it('with much around its state is read each time', async () => {
    const more = `,"codeSubstitutes":{"1":"0x${'00'.repeat(600_000)}"}`;
    const sourced = await readGivenSpec(blake2b256, givenAs(textWith('0xaa', more), 'one'), null);
    expect(sourced.remember).toBeUndefined();
    expect(await readValue(sourced)).toEqual(Uint8Array.of(0xaa));
  });

  const refused = [
    '{"name":"n","id":"i","genesis":{"raw":{"top":{"0x01":"0x',
    textWith('0xag'),
    textWith('0xaa').replace('"id":"i"', '"id":""'),
    textWith('0xaa', ',"bootNodes":[1]'),
    textWith('0xaa', ',,'),
  ];
  it.each(refused)('is refused for the same reason as by JSON.parse: %#', async (text) => {
    let message = '';
    try {
      parseChainSpec(text);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).not.toBe('');
    await expect(readGivenSpec(blake2b256, givenAs(text, null), null)).rejects.toMatchObject({
      code: 'BadSpec',
      message,
    });
  });
});

describe('the file of a specification', () => {
  const makeFile = (content: string | Uint8Array): string => {
    const folder = mkdtempSync(join(tmpdir(), 'spec-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'spec.json');
    writeFileSync(path, content);
    return path;
  };
  /** As if an hour passed since the file was written. */
  const later = (): void => {
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 3_600_000);
    onTestFinished(() => void vi.restoreAllMocks());
  };

  it('has no stamp while it is young', async () => {
    const path = makeFile(textWith('0xaa'));
    expect((await openSpecFile(path)).stamp).toBeNull();
    later();
    expect((await openSpecFile(path)).stamp).not.toBeNull();
  });

  it('has another stamp after each change, even with the same size and time of modification', async () => {
    const path = makeFile(textWith('0xaa'));
    later();
    const at = new Date(1_700_000_000_000);
    utimesSync(path, at, at);
    const { stamp } = await openSpecFile(path);
    expect((await openSpecFile(path)).stamp).toBe(stamp);
    const changedAt = () => statSync(path, { bigint: true }).ctimeNs;
    // Some systems count time in steps of milliseconds.
    for (const before = changedAt(); changedAt() === before; utimesSync(path, at, at))
      writeFileSync(path, textWith('0xab'));
    const written = (await openSpecFile(path)).stamp;
    expect(written).not.toBe(stamp);
    const other = `${path}.new`;
    writeFileSync(other, textWith('0xac'));
    utimesSync(other, at, at);
    renameSync(other, path);
    expect((await openSpecFile(path)).stamp).not.toBe(written);
  });

  it('is a text without byte order mark, and with replacement characters for other bytes', async () => {
    const read = async (...bytes: number[]) => (await openSpecFile(makeFile(Uint8Array.from(bytes)))).read();
    expect(await read(0xef, 0xbb, 0xbf, 0x61)).toEqual(Uint8Array.of(0x61));
    expect(await read(0x61, 0xff)).toEqual(Uint8Array.of(0x61, 0xef, 0xbf, 0xbd));
  });

  it('that is gone is named', async () => {
    const path = makeFile('');
    const given = await openSpecFile(path);
    rmSync(path);
    const missing = { code: 'BadSpec', message: expect.stringContaining('spec.json cannot be read: ENOENT') };
    await expect(given.read()).rejects.toMatchObject(missing);
    await expect(openSpecFile(path)).rejects.toMatchObject(missing);
  });
});
