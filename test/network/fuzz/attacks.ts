import { serveRequests } from '../../../worker/network/requests.ts';
import type { Carrier, CarrierEvents } from '../../../worker/network/transport/carrier.ts';
import { connect } from '../../../worker/network/transport/connect.ts';
import type { Connection, Served, Stream } from '../../../worker/network/transport/connection.ts';
import { createFrames } from '../../../worker/network/transport/hostile-frames.fixture.ts';
import { fillWith } from '../../../worker/network/transport/noise/records.ts';
import { baseOptions, keyOf, settled } from '../../../worker/network/transport/pair.fixture.ts';
import { createUpgrade } from '../../../worker/network/transport/upgrade.ts';
import type { ValidMessages } from './messages.ts';
import { type Choices, mutate } from './mutate.ts';

/** One peer that attacks. */
export type Attack = {
  readonly choices: Choices;
  readonly random: () => number;
  readonly carrier: Carrier;
  readonly names: (suffix: string) => readonly string[];
  readonly valid: ValidMessages;
  readonly responses: readonly Uint8Array[];
  /** Notes a frame before it leaves. */
  readonly note: (what: string, bytes: Uint8Array) => void;
};

const framesOf = { handshake: 12, frames: 200, messages: 150 } as const;
/** The node handles what it was sent now and then. */
const turnEvery = 16;

/** Every state of the handshake: a real one, of which some writes are mutated. */
export const attackHandshake = async ({ choices, carrier, note }: Attack): Promise<void> => {
  const spoiled = choices.below(5);
  let sent = 0;
  const send = (bytes: Uint8Array): void => {
    const out = sent++ >= spoiled ? mutate(choices, bytes) : bytes;
    note('handshake', out);
    carrier.send(out);
  };
  let end: CarrierEvents['close'] = () => undefined;
  let isOver = false;
  const listen = (events: CarrierEvents): void => {
    end = (reason) => {
      isOver = true;
      events.close(reason);
    };
    carrier.listen({ ...events, close: end });
  };
  const options = { ...baseOptions, key: keyOf(1 + choices.below(250)), isDialer: true };
  const connecting = connect({ ...carrier, send, listen }, options).catch(() => null);
  while (sent < framesOf.handshake && !isOver) {
    const bytes = choices.bytes(choices.below(choices.onceIn(20) ? 5000 : 60));
    if (choices.onceIn(2)) send(bytes);
    else sent++;
    await settled();
  }
  carrier.close();
  end('The attack is over');
  await connecting;
};

/** Any frames of yamux, of a peer that has proven its identity. */
export const attackMux = async ({ choices, random, carrier, names, valid, note }: Attack): Promise<void> => {
  const isReady = Promise.withResolvers<boolean>();
  let isOver = false;
  const end = (): void => {
    isOver = true;
    isReady.resolve(false);
  };
  const upgrade = createUpgrade(
    { ...baseOptions, key: keyOf(1 + choices.below(250)), isDialer: true },
    { send: carrier.send, ready: () => isReady.resolve(true), plain: () => undefined },
  );
  carrier.listen({ bytes: (bytes) => isOver || upgrade.read(bytes), close: end, drain: () => undefined });
  upgrade.start();
  if (!(await isReady.promise)) return;
  const known = [...Object.keys(valid).flatMap(names), '/ipfs/ping/1.0.0', '/ipfs/id/1.0.0'];
  const next = createFrames(random, known);
  for (let count = 1; count <= framesOf.frames && !isOver; count++) {
    const frame = choices.onceIn(100) ? mutate(choices, next()) : next();
    note('yamux', frame);
    for (let at = 0; at < frame.length; at += 60_000) {
      const sealed = upgrade.write(fillWith(frame.subarray(at, Math.min(at + 60_000, at + 4000))));
      if (sealed !== null) carrier.send(sealed);
    }
    if (count % turnEvery === 0) await settled();
  }
  carrier.close();
};

/** What the attacker serves: it accepts links with any handshake, and responds with anything. */
const serveAnything = ({ choices, names, valid, responses, note }: Attack): Served[] => {
  const links = Object.entries(valid).filter(([, { handshake }]) => handshake !== null);
  return [
    ...links.map(
      ([suffix, { handshake }]): Served => ({
        ...{ names: names(suffix), maxMessageBytes: 2 ** 24, priority: 'announce' },
        accept: (stream) => {
          let isFirst = true;
          return {
            message: () => {
              if (!isFirst) return;
              isFirst = false;
              const bytes = choices.onceIn(4) ? mutate(choices, handshake ?? choices.bytes(1)) : handshake;
              note(`${suffix}, acceptance`, bytes ?? choices.bytes(1));
              stream.send(bytes ?? choices.bytes(1));
            },
            end: () => stream.close(),
          };
        },
      }),
    ),
    serveRequests(
      names('sync/2'),
      async () => {
        const bytes = mutate(choices, choices.pick(responses));
        note('sync/2, response', bytes);
        return choices.onceIn(10) ? null : bytes;
      },
      { schedule: baseOptions.schedule },
    ),
  ];
};

const noEvents = { message: () => undefined, end: () => undefined };
const limits = { maxMessageBytes: 2 ** 24, maxQueuedBytes: 2 ** 23, priority: 'announce' } as const;

/** Messages of all protocols on streams that are agreed on. */
export const attackProtocols = async (attack: Attack): Promise<void> => {
  const { choices, carrier, names, valid, note } = attack;
  const served = serveAnything(attack);
  const options = {
    ...baseOptions,
    key: keyOf(1 + choices.below(250)),
    isDialer: true,
    served: () => served,
  };
  const connection: Connection | null = await connect(carrier, options).catch(() => null);
  if (connection === null) return;
  let isOver = false;
  void connection.closed.then(() => {
    isOver = true;
  });
  const links = new Map<string, Stream>();
  const send = (stream: Stream, suffix: string, bytes: Uint8Array): void => {
    note(suffix, bytes);
    stream.send(bytes);
  };
  const link = (suffix: string, handshake: Uint8Array): Stream => {
    const known = links.get(suffix);
    if (known !== undefined) return known;
    const stream = connection.open(names(suffix), limits, {
      message: () => undefined,
      end: () => void links.delete(suffix),
    });
    links.set(suffix, stream);
    send(stream, suffix, choices.onceIn(6) ? mutate(choices, handshake) : handshake);
    return stream;
  };
  // What follows needs it: without it, a peer is none.
  const first = valid['block-announces/1']?.handshake;
  if (first && !choices.onceIn(8)) link('block-announces/1', first);
  const suffixes = Object.keys(valid);
  for (let count = 1; count <= framesOf.messages && !isOver; count++) {
    const suffix = choices.pick(suffixes);
    const { handshake = null, messages = [] } = valid[suffix] ?? {};
    const message = mutate(choices, choices.pick(messages));
    if (handshake !== null) send(link(suffix, handshake), suffix, message);
    else {
      const stream = connection.open(names(suffix), limits, noEvents);
      send(stream, suffix, message);
      if (choices.onceIn(10)) send(stream, suffix, message);
      if (!choices.onceIn(10)) stream.close();
    }
    if (count % turnEvery === 0) await settled();
  }
  connection.close('The attack is over');
};
