import { writeFileSync } from 'node:fs';
import { identify as identifyService } from '@libp2p/identify';
import { noise } from '@libp2p/noise';
import { ping } from '@libp2p/ping';
import { webSockets } from '@libp2p/websockets';
import { yamux } from '@libp2p/yamux';
import { multiaddr } from '@multiformats/multiaddr';
import { createLibp2p } from 'libp2p';
import { start as startSmoldot } from 'smoldot';
import { createWebSocketPeers } from '../../../bridge/network/listen.ts';
import { concatBytes } from '../../../worker/bytes/bytes.ts';
import { peerIdEncode } from '../../../worker/crypto/peer-id.ts';
import type { Carrier } from '../../../worker/network/transport/carrier.ts';
import { connect } from '../../../worker/network/transport/connect.ts';
import { identify, serveIdentify } from '../../../worker/network/transport/identify.ts';
import { baseOptions, schedule } from '../../../worker/network/transport/pair.fixture.ts';
import { servePing, startPings } from '../../../worker/network/transport/ping.ts';
import { portCarrier } from '../../../worker/network/transport/port.ts';
import { dialWebSocket } from '../../../worker/network/transport/web-socket.ts';
import { createNode } from '../../../worker/node.ts';
import { freePort, unpackNativeNode } from '../../native/native-rig.ts';
import { createTestPlatform, testConfig } from '../../rigs/platform.ts';
import { type Recording, recordingKey, replay, seededBytes } from './recording.ts';

// Records what other implementations send, for recorded.test.ts: npm run record:network

/** How long a connection is recorded, and how much of it. */
const recordMs = 7000;
const maxBytes = 2400;

const protocols = ['/ipfs/id/1.0.0', '/ipfs/ping/1.0.0'];
const described = { agent: 'tabnode', protocols, addresses: [], observed: null };
const served = [servePing, serveIdentify(recordingKey.publicKey, () => described, schedule)];

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Records a connection from its first byte on. */
const record = async (
  carrier: Carrier,
  from: Pick<Recording, 'peer' | 'isDialer' | 'seed'>,
): Promise<Recording> => {
  const { isDialer, seed } = from;
  const pieces: Uint8Array[] = [];
  const listen: Carrier['listen'] = (events) =>
    carrier.listen({
      ...events,
      bytes: (bytes) => {
        pieces.push(bytes.slice());
        events.bytes(bytes);
      },
    });
  const options = { ...baseOptions, key: recordingKey, isDialer, served: () => served, idleMs: null };
  const connection = await connect({ ...carrier, listen }, { ...options, random: seededBytes(seed) });
  startPings(connection, baseOptions);
  await identify(connection).catch(() => null);
  await wait(recordMs);
  connection.close('The recording is over');
  const received = concatBytes(...pieces).subarray(0, maxBytes);
  // The length of the handshake is exact if it is read byte by byte.
  const bytes = Array.from(received, (byte) => Uint8Array.of(byte));
  const base64 = Buffer.from(received).toString('base64');
  const { plain: _plain, ...read } = replay({ isDialer, seed }, bytes);
  return { ...from, received: base64, ...read };
};

/** Records the first node that dials. */
const listen = async (peer: string, seed: number) => {
  const recorded = Promise.withResolvers<Recording>();
  let isFirst = true;
  const listener = createWebSocketPeers({
    maxSockets: 10,
    onPeer: (port) => {
      if (!isFirst) return port.close();
      isFirst = false;
      record(portCarrier(port), { peer, isDialer: false, seed }).then(recorded.resolve, recorded.reject);
    },
  });
  const opened = await listener.listen({ host: '127.0.0.1', port: 0 });
  const port = Number(opened.split(':')[1]);
  const address = `/ip4/127.0.0.1/tcp/${port}/ws/p2p/${peerIdEncode(recordingKey.publicKey)}`;
  return { address, recorded: recorded.promise.finally(() => listener.close()) };
};

const dial = async (peer: string, port: number, seed: number): Promise<Recording> =>
  record(await dialWebSocket(`ws://127.0.0.1:${port}`, { schedule }), { peer, isDialer: true, seed });

const recordNative = async (): Promise<Recording[]> => {
  const native = await unpackNativeNode();
  const ours = await createNode(createTestPlatform(), testConfig('local_testnet'));
  const spec = await native.writeSpec(ours);
  await ours.close();
  const { address, recorded } = await listen('litep2p', 1);
  const port = await freePort();
  const place = ['--chain', spec, '--tmp', '--node-key', '11'.repeat(32)];
  const listens = ['--listen-addr', `/ip4/127.0.0.1/tcp/${port}/ws`, '--bootnodes', address];
  const node = await native.serve(...place, ...listens);
  while (!(await node.isUp())) await wait(200);
  const recordings = [await recorded, await dial('litep2p', port, 2)];
  await node.stop();
  native.close();
  return recordings;
};

const recordSmoldot = async (): Promise<Recording[]> => {
  const ours = await createNode(createTestPlatform(), testConfig('local_testnet'));
  const { spec } = ours.parts.chain;
  const genesis = ours.parts.chain.genesisJson(true);
  await ours.close();
  const { address, recorded } = await listen('smoldot', 3);
  const smoldot = startSmoldot({ maxLogLevel: 1 });
  const rest = { chainType: 'Local', protocolId: null, properties: {}, telemetryEndpoints: null };
  const chainSpec = JSON.stringify({ name: spec.name, id: spec.id, ...rest, genesis, bootNodes: [address] });
  await smoldot.addChain({ chainSpec });
  const recording = await recorded;
  await smoldot.terminate();
  return [recording];
};

const recordLibp2p = async (): Promise<Recording[]> => {
  const { address, recorded } = await listen('js-libp2p', 4);
  const node = await createLibp2p({
    addresses: { listen: ['/ip4/127.0.0.1/tcp/0/ws'] },
    transports: [webSockets()],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    connectionGater: { denyDialMultiaddr: () => false },
    services: { identify: identifyService(), ping: ping() },
  });
  await node.dial(multiaddr(address));
  const port = Number(node.getMultiaddrs()[0]?.toString().split('/')[4]);
  const recordings = [await recorded, await dial('js-libp2p', port, 5)];
  await node.stop();
  return recordings;
};

const recordings = [...(await recordLibp2p()), ...(await recordSmoldot()), ...(await recordNative())];
const file = new URL('recordings.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(recordings, null, 2)}\n`);
for (const { peer, isDialer, received, handshakeBytes, frames } of recordings) {
  const bytes = Buffer.from(received, 'base64').length;
  const who = isDialer ? 'dialed' : 'dialing';
  process.stdout.write(
    `${peer}, ${who}: ${bytes} bytes, ${handshakeBytes} of the handshake, ${frames.length} frames\n`,
  );
}
process.exit();
