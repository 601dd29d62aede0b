import type { Plugin } from 'vite';

/** Also reports a script that fails to load before anyone listens. */
const earlyWorker = (url: string): string =>
  `(()=>{const worker=new Worker("${url}",{type:"module"});self.tabnodeEarly={worker,failed:new Promise((resolve)=>worker.addEventListener("error",resolve,{once:true}))}})()`;

/**
 * Starts the worker while the shell still loads, from a script of its own at the top of the page, because the content security
 * policy forbids inline scripts.
 */
export const withEarlyWorker: Plugin = {
  name: 'tabnode:early-worker',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const worker = Object.keys(bundle).find((name) => name.startsWith('assets/worker-main-'));
      const page = bundle['index.html'];
      if (worker === undefined || page?.type !== 'asset')
        throw new Error('no worker, or no page to start it');
      const script = this.emitFile({
        type: 'asset',
        name: 'early-worker.js',
        source: earlyWorker(`/${worker}`),
      });
      const tag = `<script src="/${this.getFileName(script)}"></script>`;
      page.source = String(page.source).replace('<meta charset="utf-8">', `$&\n    ${tag}`);
    },
  },
};
