import { expect, type Page, test } from '@playwright/test';
import { jsonEditor } from './json-editor.ts';
import { aliceKey, clipboard, open, result, run, state } from './rpc-page.ts';
import { test as shared } from './shared-page.ts';
import { shownBest } from './support.ts';

test.describe.configure({ mode: 'default' });

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('history and favorites survive a reload; label, run again, forget, clear', async ({ page }) => {
  await open(page, '/system_chain');
  await run(page);
  await page.goto('/#/rpc/system_version');
  await run(page);
  await page.goto('/#/rpc/state_getMetadata');
  await run(page);
  const history = page.getByRole('region', { name: 'History' });
  await expect(history.getByRole('listitem')).toHaveCount(3);
  await expect(history.getByRole('listitem').first()).toContainText('state_getMetadata');
  await history.getByRole('button', { name: 'Favorite system_chain' }).click();
  await history.getByRole('button', { name: 'Label system_chain' }).click();
  await page.getByLabel('Label of system_chain').fill('my chain');
  await page.keyboard.press('Enter');
  // Escape leaves the label as it was.
  await history.getByRole('button', { name: 'Label my chain' }).click();
  await page.getByLabel('Label of system_chain').fill('unwanted');
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Label of system_chain')).toHaveCount(0);
  await expect(history).toContainText('my chain');
  await expect(history).not.toContainText('unwanted');
  await page.reload();
  await expect(history.getByRole('listitem')).toHaveCount(3, { timeout: 15_000 });
  await history
    .getByRole('button', { name: /state_getMetadata/ })
    .first()
    .click();
  await expect(result(page)).toContainText('Only the first 20.0 kB of the response was kept.');
  await history.getByRole('button', { name: 'Clear' }).click();
  await expect(history.getByRole('listitem')).toHaveCount(1);
  await expect(history.getByRole('listitem')).toContainText('my chain');
  await expect(history.getByRole('button', { name: 'Favorites 1' })).toBeVisible();
  await history.getByRole('button', { name: 'Run my chain again' }).click();
  await expect(history.getByRole('listitem')).toHaveCount(2);
  await expect(state(page)).toHaveText('ok');
  await expect(page.getByLabel('method', { exact: true })).toHaveValue('system_chain');
  await history.getByRole('button', { name: 'Remove my chain' }).click();
  await expect(history.getByRole('listitem')).toHaveCount(1);
});

shared('a call copies in every form', async ({ page }) => {
  await open(page, `/state_getStorage?params=${encodeURIComponent(`["${aliceKey}"]`)}`);
  const copied = async (label: string) => {
    await page.getByRole('combobox', { name: 'Copy as…' }).click();
    await page
      .getByRole('listbox', { name: 'Copy as' })
      .getByRole('option', { name: label, exact: true })
      .click();
    await expect(page.getByText(`Copied as ${label}`)).toBeVisible();
    return clipboard(page);
  };
  const rpc = `{"jsonrpc":"2.0","id":1,"method":"state_getStorage","params":["${aliceKey}"]}`;
  const start = 'Start a node first: npm run tabnode -- serve --dev\n';
  expect(await copied('curl')).toBe(
    `# ${start}curl -s -H 'Content-Type: application/json' -d '${rpc}' http://127.0.0.1:9933`,
  );
  expect(await copied('fetch')).toContain(
    `// ${start}const response = await fetch('http://127.0.0.1:9933', {`,
  );
  expect(await copied('polkadot-js')).toContain(`(await api.rpc.state.getStorage("${aliceKey}")).toJSON()`);
  expect(await copied('PAPI')).toContain(`client._request("state_getStorage", ["${aliceKey}"])`);
});

shared('a batch goes over a connection of its own and answers in order', async ({ page }) => {
  await open(page, '/system_chain');
  await page.getByRole('button', { name: 'Add to batch' }).click();
  await page.goto('/#/rpc/chain_getBlockHash?params=%5B0%5D');
  await page.getByRole('button', { name: 'Add to batch' }).click();
  await page.getByLabel('method', { exact: true }).fill('no_such_method');
  await page.getByRole('button', { name: 'Add to batch' }).click();
  const tray = page.getByRole('region', { name: 'Batch' });
  await expect(tray.getByRole('listitem')).toHaveCount(3);
  await tray.getByRole('button', { name: 'Send batch' }).click();
  await expect(state(page)).toHaveText('1 of 3 failed');
  await expect(result(page)).toContainText(
    /system_chain[\s\S]*"Development"[\s\S]*chain_getBlockHash[\s\S]*-32601/,
  );
  await tray.getByRole('combobox', { name: 'Copy as…' }).click();
  await page.getByRole('listbox', { name: 'Copy as' }).getByRole('option', { name: 'curl' }).click();
  expect((await clipboard(page)).match(/"jsonrpc"/g)).toHaveLength(3);
  await tray.getByRole('button', { name: /Remove call 3/ }).click();
  await tray.getByRole('button', { name: 'Send batch' }).click();
  await expect(page.getByRole('region', { name: 'History' }).getByRole('listitem')).toHaveCount(2);
  await expect(result(page)).not.toContainText('-32601');
});

test('a call that takes something away asks first', async ({ page }) => {
  await open(page, '/dev_reset');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const ask = page.getByRole('dialog', { name: 'Run dev_reset?' });
  await expect(ask).toContainText('Deletes all blocks above genesis');
  await page.keyboard.press('Escape');
  await expect(ask).toHaveCount(0);
  await expect(page.getByText('No call yet')).toBeVisible();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await ask.getByRole('button', { name: 'Run dev_reset' }).click();
  await expect(state(page)).toHaveText('ok');
});

test('a batch asks about exactly the calls in it that take something away; a rerun about its own', async ({
  page,
}) => {
  await open(page, '/dev_reset');
  const collect = page.getByRole('button', { name: 'Add to batch' });
  await collect.click();
  await page.goto('/#/rpc/system_chain');
  await collect.click();
  await run(page);
  await page.goto('/#/rpc/dev_setHead?params=%5B1%5D');
  await collect.click();
  await page.goto('/#/rpc/system_health');
  const tray = page.getByRole('region', { name: 'Batch' });
  const history = page.getByRole('region', { name: 'History' });
  const dialog = page.getByRole('dialog');
  await expect(tray.getByRole('listitem')).toHaveCount(3);
  // The form's method is not part of the batch.
  await run(page);
  await tray.getByRole('button', { name: 'Send batch' }).click();
  await expect(page.getByRole('dialog', { name: 'Send the batch of 3?' })).toBeVisible();
  await expect(dialog.getByRole('region')).toHaveCount(2);
  await expect(dialog.getByRole('region', { name: 'Call 1' })).toContainText(
    /Call 1 of 3\s*Deletes all blocks above genesis.*dev_reset\(/s,
  );
  await expect(dialog.getByRole('region', { name: 'Call 3' })).toContainText(/dev_setHead\(\[1\]\)/);
  await expect(dialog).not.toContainText(/system_health|system_chain/);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(history.getByRole('listitem')).toHaveCount(2);
  // The batch is still there. A call that deletes nothing is run again without confirmation.
  await history.getByRole('button', { name: 'Run system_chain again' }).click();
  await expect(history.getByRole('listitem')).toHaveCount(3);
  await expect(dialog).toHaveCount(0);
  await tray.getByRole('button', { name: 'Send batch' }).click();
  await dialog.getByRole('button', { name: 'Send batch' }).click();
  await expect(state(page)).toHaveText('1 of 3 failed');
  await expect(result(page)).toContainText(/dev_reset[\s\S]*dev_setHead/);
  await history.getByRole('button', { name: 'Run batch again' }).click();
  await expect(page.getByRole('dialog', { name: 'Send the batch of 3?' })).toBeVisible();
});

shared('a subscription runs, counts, stops, and opens in Live', async ({ page }) => {
  await open(page, '/chain_subscribeNewHeads');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(state(page)).toHaveText('subscribed');
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect(result(page)).toContainText(/[2-9] received/);
  await expect(page.getByRole('link', { name: 'open in Live' })).toHaveAttribute(
    'href',
    /#\/(@[^/]+\/)?live\?method=chain_subscribeNewHeads/,
  );
  await result(page).getByRole('button', { name: 'Stop' }).click();
  await expect(state(page)).toHaveText('ok');
  const count = await result(page)
    .getByText(/received/)
    .innerText();
  const best = await shownBest(page);
  await page.getByRole('button', { name: 'Seal block' }).click();
  await expect.poll(() => shownBest(page)).toBeGreaterThan(best);
  await expect(result(page)).toContainText(count);
});

test('a copied link brings back method, params and face', async ({ page, context }) => {
  await open(page, '/state_getKeysPaged?as=json');
  await jsonEditor(page, 'params').fill('["0x26aa", 7, null]');
  await page.getByRole('button', { name: 'Copy link to this call' }).click();
  const link = await clipboard(page);
  await page.close();
  const other = await context.newPage();
  await other.goto(link);
  await expect(jsonEditor(other, 'params')).toHaveText('["0x26aa", 7, null]', { timeout: 15_000 });
  await expect(other.getByLabel('method', { exact: true })).toHaveValue('state_getKeysPaged');
  await other.getByRole('button', { name: 'Form', exact: true }).click();
  await expect(other.getByLabel('count')).toHaveValue('7');
  await other.goBack();
});

/** Everything that the browser keeps of the page: the addresses of its history, storages, databases. */
const dumpBrowser = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const { navigation } = window as unknown as {
      navigation: { entries(): readonly { readonly url: string }[] };
    };
    const finish = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const parts = navigation.entries().map(({ url }) => decodeURIComponent(url));
    for (const store of [localStorage, sessionStorage]) parts.push(JSON.stringify(store));
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await finish(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const records = await finish(database.transaction(store).objectStore(store).getAll());
        // Bytes as Latin-1, so that a text in them is found.
        const texts = records.map((record) =>
          JSON.stringify(record, (_, value: unknown) =>
            value instanceof Uint8Array
              ? Array.from(value, (byte) => String.fromCharCode(byte)).join('')
              : typeof value === 'bigint'
                ? String(value)
                : value,
          ),
        );
        parts.push(`${name}.${store}`, ...texts);
      }
      database.close();
    }
    return parts.join('\n');
  });

test('a secret typed into a call is in no address, storage or database, also after a reload and Back', async ({
  page,
}) => {
  await open(page, '/system_name');
  await run(page);
  await page.goto('/#/rpc/author_insertKey');
  const secret = 'never drive obey lake curtain smoke';
  // The node refuses this key type: what it is meant to store is in its keystore.
  await page.getByLabel('key_type', { exact: true }).fill('none');
  const field = page.getByLabel('suri', { exact: true });
  await expect(field).toHaveAttribute('type', 'password');
  await field.fill(secret);
  await page.getByRole('button', { name: 'Show suri' }).click();
  await expect(field).toHaveAttribute('type', 'text');
  await page.getByLabel('public', { exact: true }).fill(`0x${'ab'.repeat(32)}`);
  await run(page, /^error/);
  await page.goto('/#/rpc/system_chain');
  await run(page);
  await page.reload();
  await page.goBack();
  await expect(page.getByLabel('method', { exact: true })).toHaveValue('author_insertKey');
  await expect(field).toHaveValue('');
  const kept = await dumpBrowser(page);
  expect(kept).toContain('author_insertKey');
  expect(kept).toContain('tabnode.calls');
  expect(kept).toMatch(/\.meta\n/);
  expect(kept).not.toContain('never drive');
});
