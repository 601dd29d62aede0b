import type { Plugin } from 'vite';

/** `failed` resolves with the error of a script that cannot be loaded, even if that is before the page listens. */
const earlyWorker = (url: string): string =>
  `(()=>{const worker=new Worker("${url}",{type:"module"});self.tabnodeEarly={worker,failed:new Promise((resolve)=>worker.addEventListener("error",resolve,{once:true}))}})()`;

/**
 * Starts the worker while the page's own script is still loading. The content security policy forbids inline scripts, so
 * this is a separate script at the top of the page.
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
        throw new Error('the bundle has no worker or no page');
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
