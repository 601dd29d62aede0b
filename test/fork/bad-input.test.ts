import { describe, expect, it } from 'vitest';
import { liveChains } from '../../src/live-chains.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import { textToBytes } from '../../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import type { Origin } from '../../worker/chain/origin.ts';
import { unpackCode } from '../../worker/executor/code-blob.ts';
import { createNode } from '../../worker/node.ts';
import { lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { originOf } from './chain-origin.ts';
import { importFork, liveChain, openForkOf, openWhole } from './fork-rig.ts';
import { rpcOrigin } from './rpc-origin.ts';

const baseNumber = 8;

const live = liveChain(baseNumber);

/** An origin that can be switched off. `onNodes`: called before each proof. */
const switchable = () => {
  const inner = originOf(live().node);
  const state = { isOff: false, onNodes: (): void => undefined, proofs: 0 };
  const check = (): void => {
    if (state.isOff) throw new NodeError('EndpointFailed', 'The endpoint does not respond');
  };
  const origin: Origin = {
    ...inner,
    header: async (hash) => {
      check();
      return inner.header(hash);
    },
    nodes: async (...request) => {
      state.onNodes();
      state.proofs += 1;
      check();
      return inner.nodes(...request);
    },
  };
  return { state, origin };
};

describe('a database that holds a fork', () => {
  it('is not read from an endpoint of another chain', async () => {
    const db = lastingDatabase();
    const first = await openForkOf(live().node, { db });
    await sealOn(first.node);
    const { hash } = first.node.parts.chain.best();
    await first.node.close();
    const other = await startDevNode({ chain: 'local_testnet' });
    const genesisHash = hexToBytes(live().node.parts.chain.genesisHash);
    const origin = await rpcOrigin(other.node, { genesisHash });
    const { node, ask } = await openForkOf(live().node, { db, origin });
    expect(node.parts.chain.best().hash).toBe(hash);
    const unread = live().accountKey(live().pair('//Eve').publicKey);
    const { error } = await ask('state_getStorage', unread);
    expect(error).toMatchObject({ code: 4003, data: 'EndpointUnfit' });
    expect(error?.message).toContain(other.node.parts.chain.genesisHash);
    // What was read from the right chain is enough for further blocks.
    await sealOn(node);
    await node.close();
    await other.stop();
  });

  it('is not made from an endpoint that is not of the chain with this name', async () => {
    const { title, genesisHash } = liveChains.polkadot;
    const expected = { title, genesisHash };
    const db = lastingDatabase();
    const origin = await rpcOrigin(live().node, { genesisHash: hexToBytes(genesisHash), title });
    await expect(openForkOf(live().node, { db, origin, source: { expected } })).rejects.toMatchObject({
      code: 'EndpointUnfit',
      message: expect.stringContaining(
        `is not of Polkadot: its genesis is ${live().node.parts.chain.genesisHash}, not ${genesisHash}`,
      ),
    });
    expect(await db.range('headers')).toEqual([]);
    expect(await db.range('meta')).toEqual([]);
  });

  it('and a pack are not opened as those of a chain with another name', async () => {
    const { title, genesisHash } = liveChains.polkadot;
    const source = { expected: { title, genesisHash } };
    const db = lastingDatabase();
    const { node, call } = await openForkOf(live().node, { db });
    const pack = hexToBytes(await call<string>('dev_exportFork'));
    await node.close();
    const refusal = {
      code: 'BadSpec',
      message: expect.stringContaining('not a fork of Polkadot, whose genesis is 0x91b171bb'),
    };
    await expect(openForkOf(live().node, { db, source })).rejects.toMatchObject(refusal);
    const empty = lastingDatabase();
    const packed = { db: empty, endpoints: [], source: { ...source, pack } };
    await expect(openForkOf(live().node, packed)).rejects.toMatchObject(refusal);
    expect(await empty.range('meta')).toEqual([]);
  });

  it('opens as that fork only', async () => {
    const db = lastingDatabase();
    const { node } = await openForkOf(live().node, { db, block: '3' });
    await node.close();
    for (const block of ['4', live().best().hash])
      await expect(openForkOf(live().node, { db, block })).rejects.toMatchObject({
        code: 'BadSpec',
        message: expect.stringContaining('at block #3'),
      });
    await expect(createNode(createTestPlatform({ db }), testConfig('development'))).rejects.toMatchObject({
      code: 'BadSpec',
      message: expect.stringContaining('a fork of a live chain'),
    });
    const again = await openForkOf(live().node, { db, block: '3' });
    expect(again.node.parts.chain.best().number).toBe(3);
    await again.node.close();
  });

  it('is not made of a database that holds another chain', async () => {
    const db = lastingDatabase();
    const node = await createNode(createTestPlatform({ db }), testConfig('development'));
    await node.close();
    await expect(openForkOf(live().node, { db })).rejects.toMatchObject({ code: 'BadSpec' });
  });
});

it('refuses blocks that the live chain does not have, and leaves the database empty', async () => {
  const db = lastingDatabase();
  for (const block of [`0x${'ab'.repeat(32)}`, `${baseNumber + 1}`]) {
    await expect(openForkOf(live().node, { db, block })).rejects.toMatchObject({
      code: 'UnknownBlock',
      message: expect.stringContaining(block),
    });
    expect(await db.range('headers')).toEqual([]);
    expect(await db.range('meta')).toEqual([]);
  }
});

it('refuses a runtime that needs host functions which this node does not have, and names them', async () => {
  const { raw } = (await live().node.parts.chain.genesisJson(true)) as {
    raw: { top: Record<string, string> };
  };
  const { crypto } = live().node.parts;
  const module = unpackCode(hexToBytes(raw.top['0x3a636f6465'] as string), crypto.unzstd);
  // No block of this chain calls it, so the live chain does not notice.
  const [known, unknown] = [
    'ext_offchain_http_response_read_body_version_1',
    'ext_offchain_http_response_read_body_version_9',
  ];
  const code = bytesToHex(module).replace(
    bytesToHex(textToBytes(known)).slice(2),
    bytesToHex(textToBytes(unknown)).slice(2),
  );
  expect(code).not.toBe(bytesToHex(module));
  const genesis = { raw: { ...raw, top: { ...raw.top, '0x3a636f6465': code } } };
  const spec = { name: 'Odd', id: 'odd', chainType: 'Development', bootNodes: [], properties: {}, genesis };
  const odd = await createNode(createTestPlatform(), testConfig({ specJson: JSON.stringify(spec) }));
  await sealOn(odd);
  const db = lastingDatabase();
  await expect(openForkOf(odd, { db })).rejects.toMatchObject({
    code: 'BadCode',
    message: expect.stringMatching(`does not have: env.${unknown}. With --allow-unresolved-imports`),
  });
  expect(await db.range('headers')).toEqual([]);
  expect(await db.range('meta')).toEqual([]);
  // Who declares that it may lack them gets the fork: no block of it calls the function.
  const { node } = await openForkOf(odd, { source: { allowUnresolvedImports: true } });
  await sealOn(node);
  expect(node.parts.chain.best().number).toBe(2);
  await node.close();
  await odd.close();
});

it('an endpoint that goes away in the middle of a block: the block is dropped whole, the next one is built', async () => {
  // After each number of proofs, in a fork of its own.
  let rounds = 0;
  for (let after = 1; ; after++) {
    const { state, origin } = switchable();
    const { node, call, errors } = await openForkOf(live().node, { origin });
    const before = node.parts.chain.best();
    const transfer = await live().transfer('//Alice', new Uint8Array(32).fill(9), 10n ** 12n, 0);
    await call('author_submitExtrinsic', transfer);
    state.proofs = 0;
    state.onNodes = () => {
      state.isOff = state.proofs >= after;
    };
    const sealed = await node.parts.author.seal({ createEmpty: true, finalize: false });
    const isWhole = sealed.ok;
    if (!sealed.ok) {
      rounds += 1;
      expect(sealed.code).toBe('EndpointFailed');
      expect(node.parts.chain.best()).toEqual(before);
      expect(await node.parts.chain.loadHashAt(before.number + 1)).toBeNull();
    }
    state.onNodes = () => undefined;
    state.isOff = false;
    await sealOn(node);
    expect(await call('author_pendingExtrinsics')).toEqual([]);
    const whole = await openWhole(live().node, 'development', baseNumber);
    await importFork(whole, node);
    await whole.close();
    expect(errors).toEqual([]);
    await node.close();
    if (isWhole) break;
  }
  expect(rounds).toBeGreaterThan(0);
}, 120_000);

it('32 reads of one map while a block is built are right, and read no node twice', async () => {
  const inner = originOf(live().node);
  const seen = new Map<string, number>();
  let requests = 0;
  const origin: Origin = {
    ...inner,
    nodes: async (at, keys, wanted) => {
      requests += 1;
      for (const hash of wanted) seen.set(bytesToHex(hash), (seen.get(bytesToHex(hash)) ?? 0) + 1);
      // As over a network: what else is going on goes on.
      await new Promise((resolve) => setImmediate(resolve));
      return inner.nodes(at, keys, wanted);
    },
  };
  const { node, call } = await openForkOf(live().node, { origin });
  requests = 0;
  const { hash } = node.parts.chain.best();
  const keys = await live().call<string[]>(
    'state_getKeysPaged',
    live().itemKey('System', 'Account'),
    32,
    null,
  );
  const more = await live().call<string[]>(
    'state_getKeysPaged',
    live().itemKey('System', 'BlockHash'),
    32,
    null,
  );
  const wanted = [...keys, ...more].slice(0, 32);
  const reads = wanted.map((key) => call('state_getStorage', key, hash));
  const [sealed, ...values] = await Promise.all([sealOn(node), ...reads]);
  expect(node.parts.chain.best().hash).toBe(sealed);
  // They share requests, and take hardly more than the block alone.
  expect(requests).toBeLessThan(20);
  const right = await Promise.all(wanted.map((key) => live().call('state_getStorage', key, hash)));
  expect(values).toEqual(right);
  expect(wanted.length).toBeGreaterThan(16);
  expect([...seen].filter(([, times]) => times > 1)).toEqual([]);
  await node.close();
});
