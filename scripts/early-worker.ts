import type { Plugin } from 'vite';

/** The worker, whose `failed` also reports a script that fails to load before anyone listens. */
const earlyWorker = (url: string): string =>
  `const worker=new Worker("${url}",{type:"module"});self.tabnodeEarly={worker,failed:new Promise((resolve)=>worker.addEventListener("error",resolve,{once:true}))};`;

/** Says so if the page's script does not load, or ends before it has put anything in the place of "Loading". */
const tellFailure = `const tell=({target,message,reason})=>{
if(target!==self&&target.localName!=="script")return;
const line=document.getElementById("loading");
if(!line||line.role)return;
line.role="alert";
line.textContent="Tabnode could not be loaded. Check the connection and reload the page. "+(reason||message||"")+" ";
const button=document.createElement("button");
button.textContent="Reload";
button.onclick=()=>location.reload();
line.append(button)};
addEventListener("error",tell,true);
addEventListener("unhandledrejection",tell);`;

/**
 * Starts the worker while the shell still loads, from a script of its own at the top of the page, because the content security
 * policy forbids inline scripts; it also tells of a shell that does not load.
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
        source: `(()=>{${earlyWorker(`/${worker}`)}${tellFailure}})()`,
      });
      const tag = `<script src="/${this.getFileName(script)}"></script>`;
      page.source = String(page.source).replace('<meta charset="utf-8">', `$&\n    ${tag}`);
    },
  },
};
