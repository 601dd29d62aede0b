import { expect, it } from 'vitest';
import '../base.css';
import '../tokens.css';
import Keystore from '../node/Keystore.svelte';
import { devAccounts } from '../state/accounts.ts';
import { baselineOf, mountIn, openBench, settle } from '../testing/open-page.ts';

it('a hash with its mark and its copy button is level with the text next to it', async () => {
  const key = { keyType: 'babe', scheme: 'sr25519', publicKey: devAccounts[0]?.id };
  const { bench } = openBench((method) => (method === 'dev_listKeys' ? [key] : []));
  const page = mountIn(bench, Keystore, {});
  await settle();
  const cell = page.querySelector('td:last-child');
  expect(cell?.textContent).toContain('Alice');
  expect(Math.abs(baselineOf(cell) - baselineOf(cell?.querySelector('.anywhere')))).toBeLessThan(0.5);
  // The mark stays in the middle of the line.
  const [line, mark] = ['.hash', 'svg'].map((of) => cell?.querySelector(of)?.getBoundingClientRect());
  if (line === undefined || mark === undefined) throw new Error('no hash');
  expect(Math.abs(mark.top + mark.bottom - line.top - line.bottom)).toBeLessThan(3);
});
