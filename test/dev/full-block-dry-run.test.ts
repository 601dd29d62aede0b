import { describe, expect, it, onTestFinished } from 'vitest';
import { createSigner } from '../fork/signer.ts';
import { rejection, startDevNode } from '../rigs/dev-node.ts';
import { hasFixtures, loadFixtureText } from '../rigs/fixtures.ts';

const dayMs = 86_400_000;

describe.skipIf(!hasFixtures)('the first block of a session of Kusama', () => {
  it('has no room for transactions: a dry run says so as the block does, and what to do', async () => {
    const chain = { specJson: await loadFixtureText('fork/kusama-local-1000000.json') };
    const kusama = await startDevNode({ chain, changes: { seal: { kind: 'manual' } } });
    onTestFinished(() => kusama.stop());
    const { node, call } = kusama;
    await call('dev_newBlock');
    await call('dev_timeTravel', (await kusama.chainTime()) + dayMs);
    const dest = { Id: `0x${'07'.repeat(32)}` };
    const transfer = ['Balances', 'transfer_allow_death', { dest, value: '5000000000000' }] as const;
    const [extrinsic] = await createSigner()(node, kusama.best().hash, [['//Alice', transfer]]);
    const dryRun = () => call<{ outcome: unknown }>('dev_dryRun', { extrinsic });
    expect(await rejection(dryRun())).toMatchObject({
      data: 'BadExtrinsic',
      message: expect.stringMatching(/would exhaust the block limits\. .* build a block, and try again$/),
    });
    const hash = await call('author_submitExtrinsic', extrinsic);
    expect(await call('dev_newBlock', { report: true })).toMatchObject({ left: [{ hash, reason: 'full' }] });
    expect(await dryRun()).toMatchObject({ outcome: 'Ok' });
    expect(await call('dev_newBlock', { report: true })).toMatchObject({ left: [] });
  });
});
