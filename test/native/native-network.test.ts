import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignedBlockJson } from '../../src/protocol/node.ts';
import {
  bestOf,
  type Called,
  finalOf,
  hashAt,
  killServed,
  listenAddress as local,
  serveTabnode,
} from '../network/serve-tabnode.ts';
import { startDevNode } from '../rigs/dev-node.ts';
import { startSealing, writePreset } from './native-pair.ts';
import {
  freePort,
  hasNativeNode,
  logsReports,
  type NativeNode,
  type Report,
  unpackNativeNode,
} from './native-rig.ts';

describe.skipIf(!hasNativeNode)(
  'a network of native nodes and ours, by flags alone (shared native-node)',
  () => {
    let native: NativeNode;
    let spec: string;
    /** Of a chain whose only authority is Alice. */
    let aliceSpec: string;

    beforeAll(async () => {
      native = await unpackNativeNode();
      aliceSpec = await writePreset(native, 'development');
      spec = await writePreset(native, 'local_testnet');
    }, 120_000);
    afterAll(() => {
      killServed();
      native.close();
    });

    /** A native node has nothing to say against a peer of ours. */
    const expectGoodStanding = (reports: readonly Report[], peer: string): void => {
      const own = reports.filter((report) => report.peer === peer);
      expect(own.length).toBeGreaterThan(0);
      expect(own.filter(({ change, score }) => change <= -1024 || score < -1000)).toEqual([]);
    };

    /** A native node with the only key, which seals and finalizes on request. */
    const startAlice = async (form: 'ws' | 'tcp') => {
      const port = await freePort();
      const listens = ['--listen-addr', local(port, form)];
      return {
        alice: await startSealing(native, aliceSpec, '--seal-grandpa', logsReports, ...listens),
        port,
      };
    };

    it.each(['ws', 'tcp'] as const)(
      'our node without keys takes 100 blocks of a native one by %s, finality included, and follows',
      async (form) => {
        const { alice, port } = await startAlice(form);
        for (let number = 1; number <= 100; number++)
          await alice.call('engine_createBlock', true, false, null);
        const id = await alice.call<string>('system_localPeerId');
        const ours = await serveTabnode(aliceSpec, '--bootnodes', `${local(port, form)}/p2p/${id}`);
        await expect.poll(() => bestOf(ours), { timeout: 60_000 }).toBe(100);
        expect(await hashAt(ours, 100)).toBe(await hashAt(alice, 100));
        await alice.call('engine_createBlock', true, false, null);
        await expect.poll(() => bestOf(ours), { timeout: 20_000 }).toBe(101);
        await expect.poll(() => finalOf(ours), { timeout: 30_000 }).toBeGreaterThanOrEqual(99);
        expect(await ours.call('system_peers')).toMatchObject([{ peerId: id, roles: 'AUTHORITY' }]);
        expectGoodStanding(alice.reports(), ours.peerId);
        await ours.stop();
        await alice.stop();
      },
      200_000,
    );

    it.each(['ws', 'tcp'] as const)(
      'a native node takes 500 blocks of ours by %s, its only peer, finality included, and follows',
      async (form) => {
        // The chain begins in the past, so that it may be sealed as fast as possible; both keys vote.
        const clock = ['--clock', '2026-01-01', '--seal', 'manual'];
        const ours = await serveTabnode(spec, '--alice', '--bob', ...clock, '--listen-addr', local(0, form));
        for (let number = 1; number <= 500; number++)
          await ours.call('engine_createBlock', true, false, null);
        await expect.poll(() => finalOf(ours), { timeout: 60_000 }).toBeGreaterThanOrEqual(498);
        const [address = ''] = ours.addresses;
        const place = ['--chain', spec, '--base-path', mkdtempSync(join(native.folder, 'full'))];
        const full = await native.serve(
          ...place,
          '--bootnodes',
          address,
          '--rpc-methods',
          'unsafe',
          logsReports,
        );
        await expect.poll(full.isUp, { timeout: 60_000, interval: 200 }).toBe(true);
        await expect.poll(() => bestOf(full), { timeout: 120_000 }).toBe(500);
        expect(await hashAt(full, 500)).toBe(await hashAt(ours, 500));
        await ours.call('engine_createBlock', true, false, null);
        await expect.poll(() => bestOf(full), { timeout: 20_000 }).toBe(501);
        await expect.poll(() => finalOf(full), { timeout: 60_000 }).toBeGreaterThanOrEqual(499);
        expect(await full.call('system_peers')).toMatchObject([{ peerId: ours.peerId, roles: 'AUTHORITY' }]);
        const { justifications } = await full.call<SignedBlockJson>(
          'chain_getBlock',
          await hashAt(full, 500),
        );
        expect(justifications === null || Array.isArray(justifications)).toBe(true);
        expectGoodStanding(full.reports(), ours.peerId);
        await full.stop();
        await ours.stop();
      },
      300_000,
    );

    it('transactions of either side end in blocks of the other', async () => {
      // Only to sign with: the chain is the same.
      const dev = await startDevNode({ chain: { specJson: readFileSync(aliceSpec, 'utf8') } });
      const charlie = dev.pair('//Charlie').publicKey;
      const { alice, port } = await startAlice('ws');
      const id = await alice.call<string>('system_localPeerId');
      // Both have Alice's key, but each seals on request only.
      const ours = await serveTabnode(
        aliceSpec,
        '--alice',
        '--seal',
        'manual',
        '--bootnodes',
        `${local(port, 'ws')}/p2p/${id}`,
      );
      const seal = (one: Called) => one.call('engine_createBlock', true, false, null);
      await seal(alice);
      await expect.poll(() => bestOf(ours)).toBe(1);
      const pendingAt = async (one: Called) => (await one.call<string[]>('author_pendingExtrinsics')).length;
      for (const [nonce, [from, to]] of [[ours, alice] as const, [alice, ours] as const].entries()) {
        const extrinsic = await dev.transfer('//Bob', charlie, 10n ** 15n, nonce);
        await from.call('author_submitExtrinsic', extrinsic);
        await expect.poll(() => pendingAt(to), { timeout: 20_000 }).toBe(1);
        await seal(to);
        const height = await bestOf(to);
        await expect.poll(() => bestOf(from), { timeout: 20_000 }).toBe(height);
        const { block } = await from.call<SignedBlockJson>('chain_getBlock', await hashAt(to, height));
        expect(block.extrinsics).toContain(extrinsic);
        await expect.poll(() => pendingAt(from)).toBe(0);
      }
      const account = dev.accountKey(charlie);
      expect(await ours.call('state_getStorage', account)).toBe(
        await alice.call('state_getStorage', account),
      );
      await dev.stop();
      expectGoodStanding(alice.reports(), ours.peerId);
      await ours.stop();
      await alice.stop();
    }, 200_000);
  },
);
