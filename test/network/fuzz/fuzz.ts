import { bytesToHex } from '../../../worker/bytes/hex.ts';
import { hashHeader } from '../../../worker/chain/hashes.ts';
import { portCarrier } from '../../../worker/network/transport/port.ts';
import { loadBlocks } from '../../consensus/grandpa-rig.ts';
import { startDevNode } from '../../rigs/dev-node.ts';
import { createRandom } from '../../rigs/random.ts';
import { meet } from '../made-up-peer.ts';
import { type Attack, attackHandshake, attackMux, attackProtocols } from './attacks.ts';
import { type Material, validMessages, validResponses } from './messages.ts';
import { createChoices } from './mutate.ts';

const chain = 'local_testnet';
const attacks = [attackHandshake, attackMux, attackMux, attackProtocols, attackProtocols];
/** After so many attacks, a peer that behaves well must still be served. */
const witnessEvery = 20;

export type FuzzOptions = {
  /** Of the first attack; each one has the next. */
  readonly seed: number;
  readonly frames: number;
  /** Called from time to time with the frames sent so far. */
  readonly onProgress?: (frames: number, attacks: number) => void;
};

export type FuzzResult = {
  readonly frames: number;
  readonly attacks: number;
  readonly byKind: Readonly<Record<string, number>>;
};

/** A frame was not borne. The message has its seed. */
export class FuzzFailure extends Error {}

/** A node with one block, of two that an older node of its chain has made. */
const startVictim = async () => {
  const old = { keys: ['//Alice', '//Bob'], clock: { startMs: Date.UTC(2029, 0, 1) } };
  const other = await startDevNode({ chain, changes: { ...old, finality: { kind: 'manual' } } });
  await other.call('dev_newBlock', { count: 2 });
  const blocks = await loadBlocks(other.node, 2);
  await other.stop();
  const dev = await startDevNode({ chain, changes: { finality: { kind: 'grandpa' } } });
  const { parts } = dev.node;
  const [known, foreign] = blocks.map((block) => {
    const { header } = block;
    return { hash: hashHeader(parts.crypto, header), number: header.number, block };
  });
  if (known === undefined || foreign === undefined) throw new Error('There are no blocks');
  await parts.chain.import(known.block, { origin: 'file' });
  const transfer = await dev.transfer('//Alice', dev.pair('//Charlie').publicKey, 10n ** 15n, 0);
  const material: Material = { genesis: parts.chain.genesisHash, known, foreign, transfer };
  // Without a network there are no slots for those that dial.
  (await parts.network.open()).join({ inPeers: 1000 }, []);
  parts.localPeer.listen(['/ip4/127.0.0.1/tcp/1/ws']);
  return { dev, valid: validMessages(material), responses: validResponses(material) };
};

/** Sends frames to a node until something goes wrong, which rejects with `FuzzFailure`, or so many were sent. */
export const fuzz = async ({ seed, frames, onProgress }: FuzzOptions): Promise<FuzzResult> => {
  const { dev, valid, responses } = await startVictim();
  const { parts } = dev.node;
  const witness = await meet(dev.node, { seed: 1_000_000 });
  await witness.ready;
  let current = seed;
  let last = '';
  let sent = 0;
  const byKind: Record<string, number> = {};
  let failure: Error | null = null;
  const fail = (what: string, cause?: unknown): void => {
    const text = `${what}. Attack with seed ${current}, whose last frame was ${last}`;
    failure ??= new FuzzFailure(text, { cause });
  };
  const onUnhandled = (error: unknown): void => fail(`A promise was rejected: ${error}`, error);
  process.on('unhandledRejection', onUnhandled);
  const note: Attack['note'] = (kind, bytes) => {
    sent++;
    byKind[kind] = (byKind[kind] ?? 0) + 1;
    last = `${kind} ${bytesToHex(bytes.subarray(0, 600))}`;
  };
  const serveWitness = async (max: number): Promise<void> => {
    const blocks = await witness.request({ from: 0, max }).catch(() => null);
    if (blocks === null || blocks.length < 1) fail('Another peer was not served');
  };
  let done = 0;
  try {
    for (; sent < frames && failure === null; done++) {
      current = seed + done;
      const random = createRandom(current);
      const choices = createChoices(random);
      const { port1, port2 } = new MessageChannel();
      await parts.network.accept(port1 as unknown as MessagePort, `10.0.0.${done % 250}`);
      const carrier = portCarrier(port2 as unknown as MessagePort);
      await choices.pick(attacks)({ choices, random, carrier, names: witness.names, valid, responses, note });
      port2.close();
      if (dev.platform.errors.length > 0)
        fail(`The node reported an error: ${dev.platform.errors[0]}`, dev.platform.errors[0]);
      if (done % witnessEvery === 0) await serveWitness(1 + ((done / witnessEvery) % 127));
      if (done % (witnessEvery * 10) === 0) onProgress?.(sent, done);
    }
    await serveWitness(128);
    if (failure !== null) throw failure;
    witness.leave();
    await dev.stop();
    return { frames: sent, attacks: done, byKind };
  } finally {
    process.off('unhandledRejection', onUnhandled);
  }
};
