import { existsSync, readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { hexToBytes } from '../worker/bytes/hex.ts';
import { Reader } from '../worker/bytes/reader.ts';
import { readHeader } from '../worker/codec/header.ts';
import { headerToJson } from '../worker/codec/signed-block.ts';
import { dropFile } from './support.ts';

const folder = new URL('../../shared/fixtures/', import.meta.url);

/** Whether the recorded chains exist next to the repository. */
export const hasRealChains = existsSync(folder);

export const readReal = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

export const readRealLines = <T>(name: string): T[] =>
  readReal(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

/** Blocks in the format of the node's own exports: one `chain_getBlock` result per line. */
const toArchive = (name: string, spec: string, lines: readonly string[]): Buffer =>
  Buffer.from(
    `${JSON.stringify({ tabnodeChain: 1, name, origin: { kind: 'spec' }, spec })}\n${lines.join('\n')}\n`,
  );

/** 63 blocks of a native Polkadot SDK node. */
export const sdkNodeArchive = (): Buffer =>
  toArchive(
    'SDK node',
    readReal('sdk-node/spec.json'),
    readReal('sdk-node/blocks.jsonl').trimEnd().split('\n'),
  );

type WestendBlock = { readonly hash: string; readonly header: string; readonly body: readonly string[] };

export const readWestend = (): readonly WestendBlock[] =>
  JSON.parse(readReal('blocks/westend-1-128.json')) as WestendBlock[];

/** The first 128 blocks of Westend, from 2020. */
export const westendArchive = (): Buffer =>
  toArchive(
    'Westend',
    readReal('chains/westend-raw.json'),
    readWestend().map(({ header, body }) =>
      JSON.stringify({
        block: { header: headerToJson(readHeader(new Reader(hexToBytes(header)))), extrinsics: body },
      }),
    ),
  );

/** Drops the file on the page and starts its chain. */
export const startDropped = async (page: Page, file: string, bytes: Buffer, name: string): Promise<void> => {
  await page.goto('/#/chain');
  await expect(page.getByRole('link', { name: 'Best block' })).toHaveText(/#/);
  await dropFile(page, file, bytes);
  await page.getByRole('button', { name: 'Create and start' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('dialog')).toBeHidden({ timeout: 60_000 });
  // The list of blocks does not update while the pointer is over it.
  await page.mouse.move(0, 0);
};
