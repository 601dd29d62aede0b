import { expect, it, vi } from 'vitest';
import { saveFile } from './save-file.ts';

it('downloads a text as a file of its name and type, and forgets it', async () => {
  const forgotten = vi.spyOn(URL, 'revokeObjectURL');
  const saved = new Promise<readonly [string, Response]>((resolve) => {
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementationOnce(function (this: HTMLAnchorElement) {
      const { download, href } = this;
      void fetch(href).then((response) => resolve([download, response]));
    });
  });
  saveFile('blocks.jsonl', '{"number":1}', 'application/x-ndjson');
  const [name, response] = await saved;
  expect([name, response.headers.get('content-type'), await response.text()]).toEqual([
    'blocks.jsonl',
    'application/x-ndjson',
    '{"number":1}',
  ]);
  expect(forgotten).toHaveBeenCalledOnce();
});

it('every download goes through it', () => {
  const sources = import.meta.glob<string>(['../../**/*.{ts,svelte}', '!../../**/*.test.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const own = Object.entries(sources).filter(([, text]) => /createObjectURL|\.download\b/.test(text));
  expect(own.map(([file]) => file)).toEqual(['./save-file.ts']);
});
