import { start as startSmoldot } from 'smoldot';
import { afterEach, describe, expect, it } from 'vitest';
import { writeJson } from '../../src/protocol/json.ts';
import type { Dialect } from '../../src/protocol/node.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { encodeHeader } from '../../worker/codec/header.ts';
import { signedBlockFromJson } from '../../worker/codec/signed-block.ts';
import { loadRecordedBlocks } from '../chain/recorded-chain.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { hasFixtures, loadFixtureText } from '../rigs/fixtures.ts';
import { connectRpc } from '../rigs/rpc.ts';
import {
  type AuthoritySet,
  decodeAuthorities,
  decodeAuthoritySet,
  decodeEpoch,
  decodeEpochChanges,
  type Epoch,
  type EpochChanges,
  type ForkNode,
} from './sync-state-types.ts';

type SyncState = {
  readonly finalizedBlockHeader: string;
  readonly babeEpochChanges: string;
  readonly babeFinalizedBlockWeight: number;
  readonly grandpaAuthoritySet: string;
};
type Raw = { readonly top: Record<string, string>; readonly childrenDefault: object };
type Human = { readonly code: string; readonly patch?: Record<string, object>; readonly config?: object };
type Spec = Record<string, unknown> & {
  readonly genesis: { readonly raw: Raw; readonly runtimeGenesis: Human };
  readonly lightSyncState: SyncState;
};

let dev: DevNode;
afterEach(() => dev.stop());

const genSpec = (raw = true, dialect: Dialect = 'polkadot-sdk'): Promise<Spec> =>
  connectRpc(dev.node, { dialect }).call<Spec>('sync_state_genSyncSpec', raw);
const refusal = async (): Promise<unknown> =>
  (await connectRpc(dev.node).ask('sync_state_genSyncSpec', true)).error;
const hashAt = (number: number): Promise<string> => dev.call<string>('chain_getBlockHash', number);
const epochAt = async (which: 'current' | 'next', number: number): Promise<Epoch> =>
  decodeEpoch(await dev.call('state_call', `BabeApi_${which}_epoch`, '0x', await hashAt(number)));

const votersAt = async (number: number): Promise<AuthoritySet['currentAuthorities']> =>
  decodeAuthorities(
    await dev.call('state_call', 'GrandpaApi_grandpa_authorities', '0x', await hashAt(number)),
  );

const changesOf = ({ lightSyncState }: Spec): EpochChanges =>
  decodeEpochChanges(lightSyncState.babeEpochChanges);
/** The nodes of a tree without forks, from its root up. */
const lineOf = <T>([node]: readonly ForkNode<T>[]): ForkNode<T>[] =>
  node === undefined ? [] : [node, ...lineOf(node.children)];
const spanOf = ({ startSlot, duration }: Epoch) => ({ startSlot, endSlot: startSlot + duration });

/**
 * Expects the tree to be a line of the given blocks, and its map to have the runtime's epoch at each of them.
 */
const expectLine = async (spec: Spec, numbers: readonly number[]): Promise<void> => {
  const { inner, epochs } = changesOf(spec);
  const line = lineOf(inner.roots);
  expect(inner.roots.length).toBe(numbers.length > 0 ? 1 : 0);
  expect(inner.bestFinalizedNumber).toBe(undefined);
  expect(line.map(({ number }) => number)).toEqual(numbers);
  expect(epochs.map(([key]) => key)).toEqual(line.map(({ hash, number }) => [hash, number]).sort());
  for (const { hash, number, data } of line) {
    const epoch = epochs.find(([[key]]) => key === hash)?.[1];
    expect(hash).toBe(await hashAt(number));
    const next = await epochAt('next', number);
    if (number === 1) {
      const first = await epochAt('current', 1);
      expect(epoch).toEqual({ type: 'Genesis', value: [first, next] });
      expect(data).toEqual({ type: 'Genesis', value: [spanOf(first), spanOf(next)] });
    } else {
      expect(epoch).toEqual({ type: 'Regular', value: next });
      expect(data).toEqual({ type: 'Regular', value: spanOf(next) });
    }
  }
};

const blocks = hasFixtures ? await loadRecordedBlocks() : [];
const importTo = async (last: number, without: readonly number[] = []): Promise<void> => {
  for (let number = dev.best().number + 1; number <= last; number++) {
    const block = blocks[number - 1] as (typeof blocks)[0];
    await dev.node.importBlock(without.includes(number) ? { ...block, justifications: null } : block);
  }
};
const startRecorded = async (db?: DevNode['db']): Promise<void> => {
  const chain = { specJson: await loadFixtureText('sdk-node/spec.json') };
  const changes = { finality: { kind: 'manual' } } as const;
  dev = await startDevNode({ chain, changes, ...(db === undefined ? {} : { db }) });
};
const finalize = async (number: number): Promise<unknown> =>
  dev.call('engine_finalizeBlock', await hashAt(number));

describe.skipIf(!hasFixtures)('the specification for light clients, of the recorded chain', () => {
  it('has the epochs that the runtime reports, as finality advances', async () => {
    const db = lastingDatabase();
    await startRecorded(db);
    const none = blocks.map((_, index) => index + 1);
    await importTo(5, none);
    await finalize(3);
    await expectLine(await genSpec(), [1]);
    await importTo(45, none);
    await expectLine(await genSpec(), [1, 21, 41]);
    // Block 21, the first one of epoch 1, changes nothing: block 1 announced that epoch.
    for (const number of [20, 21, 40]) {
      await finalize(number);
      await expectLine(await genSpec(), [1, 21, 41]);
    }
    await importTo(63, none);
    await finalize(41);
    await expectLine(await genSpec(), [21, 41, 61]);
    const before = await genSpec();
    await dev.stop();
    await startRecorded(db);
    expect((await genSpec()).lightSyncState).toEqual(before.lightSyncState);
    await finalize(61);
    await expectLine(await genSpec(), [41, 61]);
    await finalize(63);
    await expectLine(await genSpec(), [41, 61]);
    expect(await epochAt('current', 63)).toEqual(
      changesOf(await genSpec()).epochs.find(([[, number]]) => number === 41)?.[1].value,
    );
  });

  it('has the finalized header, its weight, and the authorities that vote on the next blocks', async () => {
    await startRecorded();
    await importTo(63);
    const { lightSyncState } = await genSpec();
    expect(lightSyncState.finalizedBlockHeader).toBe(
      bytesToHex(encodeHeader(signedBlockFromJson(blocks[40]).header)),
    );
    // A BABE pre-digest (6, "BABE", its length, 1) of a primary slot.
    const primary = blocks
      .slice(0, 41)
      .filter((json) =>
        signedBlockFromJson(json).header.digest.some((item) => item[0] === 6 && item[7] === 1),
      );
    expect(primary.length).toBeGreaterThan(0);
    expect(primary.length).toBeLessThan(41);
    expect(lightSyncState.babeFinalizedBlockWeight).toBe(primary.length);
    expect(decodeAuthoritySet(lightSyncState.grandpaAuthoritySet)).toEqual({
      currentAuthorities: await votersAt(41),
      setId: 1n,
      pendingStandardChanges: { roots: [], bestFinalizedNumber: 41 },
      pendingForcedChanges: [],
      authoritySetChanges: [[0n, 41]],
    });
  });

  it('has a change of authorities that is not finalized', async () => {
    await startRecorded();
    await importTo(45, [41]);
    expect(dev.finalized().number).toBe(8);
    const [canonHash, nextAuthorities] = [await hashAt(41), await votersAt(41)];
    const data = { nextAuthorities, delay: 0, canonHeight: 41, canonHash };
    expect(decodeAuthoritySet((await genSpec()).lightSyncState.grandpaAuthoritySet)).toEqual({
      currentAuthorities: await votersAt(8),
      setId: 0n,
      pendingStandardChanges: {
        roots: [
          {
            ...{ hash: canonHash, number: 41, children: [] },
            data: { ...data, delayKind: { type: 'Finalized', value: undefined } },
          },
        ],
        bestFinalizedNumber: 8,
      },
      pendingForcedChanges: [],
      authoritySetChanges: [],
    });
    expect(await votersAt(8)).not.toEqual(nextAuthorities);
  });

  it('is refused if a native node refuses it', async () => {
    await startRecorded();
    const text = `Failed to load the block weight for block ${await hashAt(0)}`;
    expect(await refusal()).toEqual({ code: 1, message: text });
    await importTo(3);
    expect(await refusal()).toEqual({ code: 1, message: text });
    await dev.stop();
    dev = await startDevNode({ chain: { specJson: await loadFixtureText('chains/node-template-raw.json') } });
    await dev.call('engine_createBlock', true, true);
    expect(dev.finalized().number).toBe(1);
    expect(await refusal()).toEqual({
      code: 1,
      message: 'Failed to load the BABE epoch data: Background worker is not running',
    });
  });

  it('has the fields of each dialect', async () => {
    await startRecorded();
    await importTo(63);
    const given = JSON.parse(await loadFixtureText('sdk-node/spec.json')) as Spec;
    const [sdk, psp] = [await genSpec(), await genSpec(true, 'psp-6')];
    const { lightSyncState } = sdk;
    expect(sdk).toEqual({ ...given, lightSyncState });
    const { codeSubstitutes: _, ...common } = given;
    expect(psp).toEqual({ ...common, consensusEngine: null, lightSyncState });
    // A raw specification has no plain form.
    expect(await genSpec(false)).toEqual(sdk);
  });
});

describe('the specification for light clients, of a development chain', () => {
  const own = '{"name":"Own","id":"own","chainType":{"Custom":"trial"},"forkId":"f","relay_chain":"r",';
  const startOwn = async (genesis: object): Promise<void> => {
    const specJson = `${own}"bootNodes":[],"genesis":${writeJson(genesis)}}`;
    dev = await startDevNode({ chain: { specJson } });
  };

  it('describes the same chain in either form, from a preset and with a patch', async () => {
    dev = await startDevNode();
    const { genesisHash } = dev.node.parts.chain;
    await dev.call('engine_createBlock', true, true);
    const [raw, human] = [await genSpec(), await genSpec(false)];
    expect(Object.keys(human.genesis)).toEqual(['runtimeGenesis']);
    const { code, patch = {} } = human.genesis.runtimeGenesis;
    expect(code).toBe(raw.genesis.raw.top['0x3a636f6465']);
    expect(Object.keys(patch).length).toBeGreaterThan(0);
    for (const spec of [raw, human]) {
      await dev.stop();
      dev = await startDevNode({ chain: { specJson: writeJson(spec) } });
      expect(dev.node.parts.chain.genesisHash).toBe(genesisHash);
    }
    // The source specification has an older light client state, which must be replaced.
    await dev.call('engine_createBlock', true, true);
    const again = await genSpec(false);
    expect(again.genesis).toEqual(human.genesis);
    expect(again.lightSyncState).not.toEqual(human.lightSyncState);
    await dev.stop();
    await startOwn({ runtimeGenesis: { code, patch } });
    await dev.call('engine_createBlock', true, true);
    const [kept, psp] = [await genSpec(false), await genSpec(false, 'psp-6')];
    expect(kept).toMatchObject({ forkId: 'f', relay_chain: 'r', chainType: { Custom: 'trial' } });
    expect(kept.genesis).toEqual({ runtimeGenesis: { code, patch } });
    expect(psp['chainType']).toBe('trial');
    expect(Object.keys(psp)).not.toContain('forkId');
  });

  it('has an authority set before the first proof or change', async () => {
    dev = await startDevNode();
    await dev.call('engine_createBlock', true, true);
    expect(await dev.node.parts.grandpa.authoritySet()).toBeNull();
    expect(decodeAuthoritySet((await genSpec()).lightSyncState.grandpaAuthoritySet)).toEqual({
      currentAuthorities: await votersAt(1),
      setId: 0n,
      pendingStandardChanges: { roots: [], bestFinalizedNumber: 1 },
      pendingForcedChanges: [],
      authoritySetChanges: [],
    });
    await expectLine(await genSpec(), [1]);
  });
});

describe.skipIf(!hasFixtures)('smoldot', () => {
  /** The block at which a client starts with this specification, or the error. */
  const load = async (spec: Spec): Promise<string> => {
    const said: string[] = [];
    const client = startSmoldot({ maxLogLevel: 3, logCallback: (_level, _target, text) => said.push(text) });
    const refused = await client.addChain({ chainSpec: JSON.stringify(spec) }).then(
      () => null,
      (error: Error) => error.message,
    );
    await client.terminate();
    return refused ?? said.find((text) => text.startsWith('Chain initialization complete')) ?? '';
  };
  const short = (hash: string): string => `${hash.slice(0, 6)}…${hash.slice(-4)}`;

  it.each(['psp-6', 'polkadot-sdk'] as const)('starts at the specified block: %s', async (dialect) => {
    await startRecorded();
    await importTo(63);
    for (const number of [41, 62]) {
      if (number > 41) await finalize(number);
      const said = await load(await genSpec(true, dialect));
      expect(said).toContain(`Genesis hash: ${short(await hashAt(0))}.`);
      expect(said).toContain(`starting at: ${short(await hashAt(number))} (#${number})`);
    }
  });

  it('refuses values that are a byte short, or end in the middle of a list', async () => {
    await startRecorded();
    await importTo(63);
    const spec = await genSpec();
    const { lightSyncState } = spec;
    const wrong = (field: keyof SyncState, value: string): Promise<string> =>
      load({ ...spec, lightSyncState: { ...lightSyncState, [field]: value } });
    const text = 'Failed to decode chain specification: Failed to parse chain spec';
    for (const field of ['finalizedBlockHeader', 'babeEpochChanges', 'grandpaAuthoritySet'] as const) {
      expect(await wrong(field, lightSyncState[field].slice(0, -2)), field).toBe(text);
      expect(await wrong(field, `0x${lightSyncState[field].slice(4)}`), field).toBe(text);
    }
    // One root too many; one authority too many.
    for (const field of ['babeEpochChanges', 'grandpaAuthoritySet'] as const)
      expect(await wrong(field, lightSyncState[field].replace(/^0x04/, '0x08')), field).toBe(text);
  });
});
