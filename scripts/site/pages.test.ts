import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listPages, withSiteLinks } from './pages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = listPages(root);
const place = (text: string, from: string, repository?: string): string =>
  withSiteLinks(text, from, { root, pages, repository });

describe('the pages of the site', () => {
  it('are the README, the guide, the decisions and the documents in the root', () => {
    expect(pages.get('README.md')).toBe('index.md');
    expect(pages.get('docs/dapp.md')).toBe('dapp.md');
    expect(pages.get('docs/decisions/README.md')).toBe('decisions/index.md');
    expect(pages.get('docs/decisions/0003-one-local-node-version.md')).toMatch(/^decisions\/0003/);
    expect(pages.get('CHANGELOG.md')).toBe('changelog.md');
  });

  it('link to each other where they are in the site', () => {
    expect(place('[a](docs/fork.md#in-tests)', 'README.md')).toBe('[a](./fork.md#in-tests)');
    expect(place('[a](decisions/README.md)', 'docs/fork.md')).toBe('[a](./decisions/index.md)');
    expect(
      place('[a](../fork.md), [b](../../ARCHITECTURE.md)', 'docs/decisions/0003-one-local-node-version.md'),
    ).toBe('[a](../fork.md), [b](../architecture.md)');
    expect(place('![a](docs/screenshots/chain.png)', 'README.md')).toBe('![a](./screenshots/chain.png)');
  });

  it('link to files of the repository, or name them where nothing shows the repository', () => {
    expect(place('see [the rules](../layers.mjs)', 'docs/fork.md')).toBe('see the rules');
    expect(place('[the rules](../layers.mjs)', 'docs/fork.md', 'https://host.example/blob/main')).toBe(
      '[the rules](https://host.example/blob/main/layers.mjs)',
    );
    expect(place('[`a` and b](../examples/dapp)', 'docs/dapp.md')).toBe('`a` and b');
  });

  it('keep what is no link of theirs, and links that lead nowhere, which the build reports', () => {
    for (const text of [
      '[a](#part)',
      '[a](https://host.example/a.md)',
      '[a](absent.md)',
      '`[a](../layers.mjs)`',
    ])
      expect(place(text, 'docs/fork.md')).toBe(text);
    const fence = '```md\n[a](../layers.mjs)\n```';
    expect(place(fence, 'docs/fork.md')).toBe(fence);
  });
});
