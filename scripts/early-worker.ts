import type { Plugin } from 'vite';

/** `failed` resolves with the error if the script cannot be loaded, even before the page listens for it. */
const earlyWorker = (url: string): string =>
  `const worker=new Worker("${url}",{type:"module"});self.tabnodeEarly={worker,failed:new Promise((resolve)=>worker.addEventListener("error",resolve,{once:true}))};`;

/**
 * Replaces "Loading" with an alert if the page's script does not load, or fails before it mounts the page.
 */
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
 * Registers the service worker once all code was loaded, on https only: 127.0.0.1 with a port is the origin of whatever is
 * served there later (docs/decisions/0039).
 */
const keepOffline = `const {protocol,hostname}=location;
if(protocol==="https:"&&navigator.serviceWorker&&!/^(127\\..*|\\[::1\\]|(.*\\.)?localhost)$/.test(hostname))new PerformanceObserver((_,watch)=>{
if(!performance.getEntriesByName("tabnode:complete")[0])return;
watch.disconnect();
navigator.serviceWorker.register("./service-worker.js").catch(()=>{})
}).observe({type:"mark",buffered:true});`;

/**
 * Starts the worker while the page's own script is still loading. The content security policy forbids inline scripts, so
 * this is a separate script at the top of the page. It also reports a page script that does not load.
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
        source: `(()=>{${earlyWorker(`./${worker}`)}${tellFailure}${keepOffline}})()`,
      });
      const tag = `<script src="./${this.getFileName(script)}"></script>`;
      const first = '<meta charset="utf-8">';
      const source = String(page.source);
      if (!source.includes(first)) throw new Error(`the page does not begin with ${first}`);
      page.source = source.replace(first, `$&\n    ${tag}`);
    },
  },
};
