import { describe, expect, test, vi } from 'vitest';
import { noBytes, textToBytes } from '../../bytes/bytes.ts';
import { identify, type PeerInfo, serveIdentify } from './identify.ts';
import { encodePublicKey } from './noise/identity.ts';
import { connectPair, createClock, keyOf, schedule, settled } from './pair.fixture.ts';
import { decodeFields, encodeFields } from './protobuf.ts';

const info: PeerInfo = {
  agent: 'tabnode/0.1.0 (Alice)',
  protocols: ['/ipfs/ping/1.0.0', '/abc/sync/2'],
  addresses: [Uint8Array.of(4, 127, 0, 0, 1, 6, 1, 2)],
  observed: Uint8Array.of(4, 10, 0, 0, 1),
};

const limits = { maxMessageBytes: 1 << 20, priority: 'answer' } as const;
const { publicKey } = keyOf(2);

/** Serves these bytes as the answer. */
const servingBytes = (bytes: Uint8Array) => ({
  served: () => [
    {
      ...{ ...limits, names: ['/ipfs/id/1.0.0'] },
      accept: (stream: { send(bytes: Uint8Array): boolean; close(): void }) => {
        stream.send(bytes);
        stream.close();
        return { message: () => undefined, end: () => undefined };
      },
    },
  ],
});

describe('identify', () => {
  test('tells what a node is and what it serves', async () => {
    const [near] = await connectPair({}, { served: () => [serveIdentify(publicKey, () => info, schedule)] });
    expect(await identify(near)).toEqual(info);
  });

  test('leaves out what native nodes would not read', async () => {
    const protocols = Array.from({ length: 100 }, (_, at) => `/protocol/${at}/`.padEnd(80, 'x'));
    const many = { ...info, protocols };
    const [near] = await connectPair({}, { served: () => [serveIdentify(publicKey, () => many, schedule)] });
    const sent = await near.request(['/ipfs/id/1.0.0'], null, { maxBytes: 1 << 20, timeoutMs: 1000 });
    expect(sent.length).toBeLessThanOrEqual(4096);
    expect(sent.length).toBeGreaterThan(4000);
    expect(decodeFields(sent).bytes(1)).toEqual(encodePublicKey(publicKey));
    const read = await identify(near);
    expect(read.protocols).toEqual(protocols.slice(0, read.protocols.length));
  });

  test('ends a second after the answer', async () => {
    const clock = createClock();
    const served = [serveIdentify(publicKey, () => info, clock.schedule)];
    const [near] = await connectPair({}, { served: () => served });
    const [message, end] = [vi.fn(), vi.fn()];
    near.open(['/ipfs/id/1.0.0'], limits, { message, end });
    await vi.waitFor(() => expect(message).toHaveBeenCalledOnce());
    clock.pass(999);
    await settled();
    expect(end).not.toHaveBeenCalled();
    clock.pass(1);
    await vi.waitFor(() => expect(end).toHaveBeenCalledWith('ended'));
  });

  test('bears the empty message that smoldot sends first', async () => {
    const [near] = await connectPair({}, { served: () => [serveIdentify(publicKey, () => info, schedule)] });
    const messages: Uint8Array[] = [];
    const end = vi.fn();
    near.open(
      ['/ipfs/id/1.0.0'],
      { ...limits, first: noBytes },
      { message: (one) => messages.push(one), end },
    );
    await vi.waitFor(() => expect(end).toHaveBeenCalledWith('ended'));
    expect(messages).toHaveLength(1);
  });

  test('reads what is missing or no text as empty', async () => {
    const bytes = encodeFields(
      [3, Uint8Array.of(255)],
      [3, textToBytes('/a/1')],
      [6, textToBytes('x'.repeat(999))],
    );
    const [near] = await connectPair({}, servingBytes(bytes));
    expect(await identify(near)).toEqual({
      ...{ agent: 'x'.repeat(256), protocols: ['/a/1'], addresses: [], observed: null },
    });
  });

  test.each([
    ['more than 16 KiB', new Uint8Array(16_385), { code: 'PeerFailed' }],
    ['half a message', Uint8Array.of(26, 5, 1), { name: 'ProtocolError' }],
  ])('rejects %s', async (_name, bytes, error) => {
    const [near] = await connectPair({}, servingBytes(bytes));
    await expect(identify(near)).rejects.toMatchObject(error);
  });
});
