import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { isStoredAhead } from '../libraries.mjs';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The one file of public/ that the page itself loads. */
const runtime = 'tabnode-runtime.compact.compressed.wasm';

/** Writes the service worker of the page: all files of the build but libraries, and a version made of their names and contents. */
export const withServiceWorker: Plugin = {
  name: 'tabnode:service-worker',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('no page to serve offline');
      const all = Object.keys(bundle).filter((name) => /^assets\/.*(?<!\.map)$/.test(name));
      const assets = all.filter(isStoredAhead);
      const hash = createHash('sha256').update(await readFile(path(`../../public/${runtime}`)));
      for (const file of Object.values(bundle)) hash.update(file.type === 'chunk' ? file.code : file.source);
      const template = await readFile(path('./service-worker.js'), 'utf8');
      const source = template
        .replace('%VERSION%', hash.digest('hex').slice(0, 16))
        .replace("['%FILES%']", JSON.stringify(['./', runtime, ...assets]))
        .replace("['%LIBRARIES%']", JSON.stringify(all.filter((name) => !isStoredAhead(name))));
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
    },
  },
};
