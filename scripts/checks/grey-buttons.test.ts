import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findIn } from './findings.ts';
import { findGreyButtons } from './grey-buttons.ts';

/** Folders whose disabled buttons all say why. */
const folders = 'app,kit,node,panels,values';
/** With the reason: the row of a block says "Loading…" on the button, and a dialog that cannot be closed shows its work. */
const clear = ['ui/panels/chain/list/BlockRow.svelte', 'ui/kit/states/Dialog.svelte'];

it('every button that may be disabled says why', () => {
  const files = globSync(`ui/{${folders}}/**/*.svelte`).filter((file) => !clear.includes(file));
  expect(files.length).toBeGreaterThan(100);
  expect(findIn(files, findGreyButtons)).toEqual([]);
});

it.each([
  '<button type="button" disabled={busy}>',
  '<button disabled title="dev_reset">',
  '<IconButton sign="←" label="Back" disabled={at === null} onclick={() => step(-1)} />',
  '<button\n  onclick={() => a > b}\n  {disabled}\n>',
])('finds %s', (tag) => {
  expect(findGreyButtons(`<p>\n${tag}`)).toMatchObject([{ line: 2 }]);
});

it.each([
  '<Button why={busy}>',
  '<button type="button" aria-disabled={busy}>',
  '<button disabled={why !== null} aria-describedby={id}>',
  '<button class="disabled">',
])('does not find %s', (tag) => {
  expect(findGreyButtons(tag)).toEqual([]);
});
