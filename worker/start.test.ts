import { describe, expect, it } from 'vitest';
import { createTestPlatform, loadDefaultRuntime, testConfig } from '../test/rigs/platform.ts';
import { bytesToHex } from './bytes/hex.ts';
import { developmentGenesis } from './chain/genesis/development-genesis.ts';
import { buildGenesis, genesisState } from './chain/genesis/genesis.ts';
import { createControl } from './control.ts';
import { loadCrypto } from './crypto/crypto.ts';
import { createMemoryDatabase } from './db/memory.ts';
import { createExecutor } from './executor/executor.ts';
import { createNode } from './node.ts';
import { emptySource } from './trie/node-source.ts';

/** A platform over one database that counts how often a runtime is decompressed. */
const createWatched = () => {
  const db = createMemoryDatabase();
  const plain = createTestPlatform({ db: { ...db, close: async () => undefined } });
  const unpacked = { count: 0 };
  const watched = {
    ...plain,
    // Deferred work does not run in these tests.
    schedule: () => () => undefined,
    loadCrypto: async () => {
      const crypto = await plain.loadCrypto();
      const unzstd: typeof crypto.unzstd = (...request) => {
        unpacked.count += 1;
        return crypto.unzstd(...request);
      };
      return { ...crypto, unzstd };
    },
  };
  return { platform: watched, unpacked };
};

describe('a start of the development chain', () => {
  it('has the genesis state that the runtime would build, without running the runtime', async () => {
    const crypto = await loadCrypto();
    const executor = createExecutor({ crypto });
    const deps = { crypto, executor, source: emptySource };
    const code = await loadDefaultRuntime();
    const source = { kind: 'runtime', code, preset: 'development', patch: null, config: null } as const;
    const { changes, version } = genesisState(deps, source);
    const made = changes.main.map(([key, value]) => [bytesToHex(key), bytesToHex(value ?? code)]);
    const written = [...Object.entries(developmentGenesis.top), ['0x3a636f6465', bytesToHex(code)]];
    // If this fails, the runtime has changed: run scripts/genesis.mjs.
    expect(bytesToHex(crypto.blake2b256(code))).toBe(developmentGenesis.codeHash);
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(made));
    expect(version).toBe(developmentGenesis.version);
    const idle = { ...executor, load: () => expect.unreachable() };
    const known = await buildGenesis({ ...deps, executor: idle }, source);
    const built = await buildGenesis(deps, { ...source, patch: '{}' });
    expect(known.header.stateRoot).toEqual(built.header.stateRoot);
  });

  it('returns before the runtime is decompressed, also on the second visit', async () => {
    const { platform, unpacked } = createWatched();
    for (let visit = 1; visit <= 2; visit++) {
      const node = await createNode(platform, testConfig('development'));
      expect(node.info().bestNumber).toBe(0);
      expect(await node.parts.chain.loadHeader(node.parts.chain.genesisHash)).not.toBeNull();
      expect(unpacked.count).toBe(visit - 1);
      await node.parts.sessionKeys();
      expect(unpacked.count).toBe(visit);
      await node.close();
    }
    expect(platform.errors).toEqual([]);
  });

  it('writes block 0 once', async () => {
    const { platform } = createWatched();
    const writes: number[] = [];
    const openDatabase = async () => {
      const db = await platform.openDatabase({ storage: { kind: 'memory' } });
      const write: typeof db.write = (batch) => {
        writes.push(batch.puts.filter(([store]) => store === 'headers').length);
        return db.write(batch);
      };
      return { ...db, write };
    };
    for (let visit = 1; visit <= 2; visit++) {
      await (await createNode({ ...platform, openDatabase }, testConfig('development'))).close();
      expect(writes.reduce((sum, count) => sum + count, 0)).toBe(1);
    }
  });
});

describe('a connection requested together with the start', () => {
  const options = { dialect: 'psp-6', denyUnsafe: false } as const;

  it('gets a response once the node runs', async () => {
    const control = createControl(createWatched().platform);
    const { port1, port2 } = new MessageChannel();
    const answered = new Promise((resolve) => {
      port1.onmessage = ({ data }) => resolve(data);
    });
    const starting = control.start(testConfig('development'));
    const connecting = control.connect(port2, options);
    port1.postMessage('{"jsonrpc":"2.0","id":1,"method":"chain_getBlockHash","params":[0]}');
    expect(await starting).toMatchObject({ ok: true });
    expect(await connecting).toEqual({ ok: true, value: null });
    expect(JSON.stringify(await answered)).toContain('0x');
    port1.close();
    await control.stop();
  });

  it('is refused if the start fails', async () => {
    const { platform } = createWatched();
    const openDatabase = () => Promise.reject(new Error('no room'));
    const control = createControl({ ...platform, openDatabase });
    const { port2 } = new MessageChannel();
    const starting = control.start(testConfig('development'));
    expect(await control.connect(port2, options)).toMatchObject({ ok: false });
    expect(await starting).toMatchObject({ ok: false });
  });
});
