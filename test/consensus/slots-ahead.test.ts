import { expect, it } from 'vitest';
import { startDevNode } from '../rigs/dev-node.ts';

it('the status says why a chain ahead of the clock seals no blocks by slots', async () => {
  const dev = await startDevNode();
  await dev.call('dev_newBlock', { count: 50 });
  const due = new Date((await dev.chainTime()) + 6000).toISOString();
  const until = `${due.slice(0, 10)} ${due.slice(11, 19)} UTC`;
  const fault = async () => (await dev.node.status()).sealFault;
  expect(await fault()).toBeNull();
  await dev.call('dev_setSealMode', { kind: 'slots' });
  await expect.poll(fault).toEqual({
    code: 'Unsupported',
    message: `Chain time is ahead of the clock: by slots no block is due before ${until}. Wait, or choose another seal mode`,
  });
  expect(dev.best().number).toBe(50);
  await dev.call('dev_setSealMode', { kind: 'instant' });
  expect(await fault()).toBeNull();
  await dev.stop();
});
