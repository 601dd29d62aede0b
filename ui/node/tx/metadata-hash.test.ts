import { describe, expect, it, onTestFinished } from 'vitest';
import { encodeCall } from '../../../src/scale/extrinsic.ts';
import { createMetaLoader } from '../../../src/scale/load.ts';
import { createRuntimeMeta } from '../../../src/scale/runtime.ts';
import { decodeValidity } from '../../../src/scale/validity.ts';
import { openForkOf } from '../../../test/fork/fork-rig.ts';
import { coretimeSpec } from '../../../test/rigs/coretime.ts';
import { hasFixtures, loadFixtureText } from '../../../test/rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../../../test/rigs/platform.ts';
import { connectRpc } from '../../../test/rigs/rpc.ts';
import { createNode, type Node } from '../../../worker/node.ts';
import { devAccounts } from '../accounts.ts';
import { toUiNode } from '../client/tab-node.ts';
import { createHeldKeys } from './held-keys.ts';
import { loadMetadataHash, metadataHashHint } from './metadata-hash.ts';
import {
  type ChainFacts,
  hashedMeta,
  loadFacts,
  type SendOptions,
  signCall,
  validityParams,
} from './signing.ts';
import type { SignerPayload } from './wallet.ts';

/** Needs ../shared/fixtures: runtimes of public chains. */

const [alice] = devAccounts;
const address = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5';
const options: SendOptions = { nonce: null, tip: 0n, period: 64, metadataHash: true };

const openChain = async (specJson: string): Promise<Node> => {
  const node = await createNode(createTestPlatform(), testConfig({ specJson }, { keys: [] }));
  onTestFinished(() => node.close());
  return node;
};

/** The page's view of a node, with what it needs to sign a remark by Alice. */
const openPage = async (node: Node, { call } = connectRpc(node)) => {
  const request = (method: string, params: readonly unknown[]) => call(method, ...params);
  const page = toUiNode(
    { info: node.info(), status: () => call('dev_status') } as never,
    { request } as never,
    { isFresh: true, isElsewhere: false, end: async () => undefined },
  );
  const meta = await createMetaLoader({ request }).at(null);
  const load = () => loadFacts(page, address, null, { hashOf: hashedMeta(meta, options) });
  const remark = encodeCall(meta, 'System', 'remark', { remark: '0x01' });
  const sign = (facts: ChainFacts): Promise<string> => {
    const signer = {
      kind: 'key',
      id: alice?.id ?? '',
      name: 'Alice',
      suri: '//Alice',
      keys: createHeldKeys(),
    };
    return signCall(meta, remark, signer as never, facts, options);
  };
  const validityOf = async (facts: ChainFacts) =>
    decodeValidity(String(await request('state_call', validityParams(await sign(facts), facts.best))));
  return { page, meta, remark, call, request, load, sign, validityOf };
};

/** Another hash: one bit differs. */
const flip = (hash: string): string =>
  hash.slice(0, -1) + (Number.parseInt(hash.slice(-1), 16) ^ 1).toString(16);

describe.skipIf(!hasFixtures)('the metadata hash', () => {
  it('is the one that the runtime of a public chain was built with: signed with another one, a transaction is not valid', async () => {
    const live = await openChain(await loadFixtureText('chains/coretime-polkadot-raw.json'));
    const fork = await openForkOf(live, { block: live.parts.chain.genesisHash, keys: [] });
    onTestFinished(() => fork.node.close());
    const { load, sign, validityOf, call, meta, remark } = await openPage(fork.node, fork);
    await call('dev_fund', address, '100000000000');
    const facts = await load();
    const hash = facts.metadataHash ?? '';
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await validityOf({ ...facts, metadataHash: flip(hash) })).toMatchObject({
      kind: 'invalid',
      text: expect.stringMatching(/^BadProof/),
    });
    expect(await validityOf(facts)).toMatchObject({ kind: 'valid' });
    // The option is on the wire: mode 1. Without it, the same transaction has mode 0, and is valid as well.
    expect(await sign({ ...facts, metadataHash: null })).not.toBe(await sign(facts));
    expect(await validityOf({ ...facts, metadataHash: null })).toMatchObject({ kind: 'valid' });
    await call('author_submitExtrinsic', await sign(facts));
    expect(await call('author_pendingExtrinsics')).toHaveLength(1);
    // A wallet signs the same.
    const asked: SignerPayload[] = [];
    const account = {
      sign: async (payload: SignerPayload) => {
        asked.push(payload);
        return `0x01${'00'.repeat(64)}`;
      },
    };
    const keys = { verify: async () => true };
    const wallet = { kind: 'wallet', id: alice?.id ?? '', name: 'Alice', account, keys } as never;
    await signCall(meta, remark, wallet, facts, options);
    await signCall(meta, remark, wallet, { ...facts, metadataHash: null }, options);
    expect(asked).toMatchObject([{ mode: 1, metadataHash: hash }, { mode: 0 }]);
    expect(asked[1]).not.toHaveProperty('metadataHash');
  });

  it('of a chain whose properties name another token is another one', async () => {
    const spec = JSON.parse(await loadFixtureText('chains/coretime-polkadot-raw.json'));
    spec.properties.tokenSymbol = 'KSM';
    const { load, validityOf } = await openPage(await openChain(JSON.stringify(spec)));
    const { text } = (await validityOf(await load())) as { text: string };
    expect(metadataHashHint(text)).toMatch(/another token symbol/);
  });

  it('of a runtime that was built without one cannot be checked, which the hint says', async () => {
    const spec = JSON.parse((await coretimeSpec()).specJson);
    spec.properties = { tokenSymbol: 'WND', tokenDecimals: 12 };
    const { load, validityOf, meta, page, request } = await openPage(await openChain(JSON.stringify(spec)));
    const { text } = (await validityOf(await load())) as { text: string };
    expect(metadataHashHint(text)).toMatch(/built without a metadata hash/);
    expect(metadataHashHint('Payment: Inability to pay some fees')).toBeNull();
    // V15 and V16 of one runtime have the same hash.
    const answer = await request('state_call', ['Metadata_metadata_at_version', '0x0f000000']);
    const bytes = Buffer.from(String(answer).slice(2), 'hex');
    const older = createRuntimeMeta(new Uint8Array(bytes.subarray(5)));
    expect([meta.version, older.version]).toEqual([16, 15]);
    expect(await loadMetadataHash(page, older)).toBe(await loadMetadataHash(page, meta));
  });

  it('is an error in one sentence if the chain names no token, the metadata is too old, or it is damaged', async () => {
    const spec = JSON.parse(await loadFixtureText('chains/coretime-polkadot-raw.json'));
    spec.properties = {};
    const { page, load, meta, request } = await openPage(await openChain(JSON.stringify(spec)));
    const refused = (text: RegExp) => ({ code: 'Unsupported', message: expect.stringMatching(text) });
    await expect(load()).rejects.toMatchObject(refused(/properties name none\. Add tokenSymbol/));
    const old = createRuntimeMeta(
      Buffer.from(String(await request('state_getMetadata', [])).slice(2), 'hex'),
    );
    await expect(loadMetadataHash(page, old)).rejects.toMatchObject(
      refused(/needs metadata V15, and .* V14/),
    );
    const named = { request: async () => ({ tokenSymbol: 'DOT', tokenDecimals: 10 }) } as never;
    for (const length of [0, 4, 5, 1000, (meta.encoded?.length ?? 0) - 1]) {
      const damaged = { ...meta, encoded: (meta.encoded ?? new Uint8Array()).slice(0, length) };
      await expect(loadMetadataHash(named, damaged)).rejects.toMatchObject(refused(/cannot be hashed/));
    }
    // A failure is not kept.
    expect(await loadMetadataHash(named, meta)).toMatch(/^0x[0-9a-f]{64}$/);
  });
});
