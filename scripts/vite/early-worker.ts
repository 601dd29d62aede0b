import { minify, type Plugin, type Rolldown } from 'vite';

/** `failed` resolves with the error if the script cannot be loaded, even before the page listens for it. */
const earlyWorker = (url: string): string =>
  `const worker=new Worker("${url}",{type:"module"}),failed=new Promise((resolve)=>worker.addEventListener("error",resolve,{once:true}));`;

/**
 * Requests what the first view needs. The page's own script would do so too, but V8 parses a whole script
 * again to record where it first adds an element that loads something, which takes 10 ms of processor time
 * for a large one. `styled` resolves when the style sheet was loaded or has failed.
 */
const earlyFiles = (files: readonly string[]): string =>
  `const styled=new Promise((resolve)=>{
for(const href of ${JSON.stringify(files.map((file) => `./${file}`))}){
const link=document.createElement("link"),isStyle=href.endsWith(".css");
link.rel=isStyle?"stylesheet":"modulepreload";
link.crossOrigin="";
link.href=href;
if(isStyle)link.onload=link.onerror=resolve;
document.head.append(link)}});
self.tabnodeEarly={worker,failed,styled};`;

/**
 * Vite does not retry a style sheet that failed to load: it shows the page without it, or does not load a panel. It is
 * requested again, at most four seconds later, and the panel waits for it (ui/panels/panels.ts).
 */
const retryStyles = `addEventListener("error",({target})=>{
if(!(target instanceof HTMLLinkElement)||target.rel!=="stylesheet")return;
const tries=Number(target.dataset.tries||0);
target.dataset.tries=tries+1;
setTimeout(()=>target.replaceWith(target.cloneNode()),1000*2**Math.min(tries,2))},true);
addEventListener("vite:preloadError",(event)=>{if(/preload CSS/.test(event.payload))event.preventDefault()});`;

/**
 * What the page does not name: the small files that its own script imports, and the first view's script with what it imports
 * besides.
 */
const findFiles = (bundle: Rolldown.OutputBundle, page: string) => {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const first = chunks.find(({ fileName }) => /^assets\/first-[^/]*\.js$/.test(fileName));
  if (first === undefined) throw new Error('the bundle has no script of the first view');
  const isUnnamed = (file: string): boolean => !page.includes(file);
  const own = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap(({ imports }) => imports));
  const view = [first.fileName, ...first.imports, ...(first.viteMetadata?.importedCss ?? [])];
  return {
    own: [...own].filter(isUnnamed),
    firstView: view.filter((file) => isUnnamed(file) && !own.has(file)),
  };
};

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
 * Registers the service worker, which loads all other code, once the first block is shown, and not in data saver mode. A page
 * that was being reloaded when the service worker became active asks to be served by it.
 * Browsers offer it on https and on loopback only.
 */
const keepOffline = `if(navigator.serviceWorker&&!navigator.connection?.saveData)new PerformanceObserver((_,watch)=>{
if(!performance.getEntriesByName("tabnode:shown")[0])return;
watch.disconnect();
const{serviceWorker:all}=navigator;
all.register("./service-worker.js").then(()=>all.ready).then(({active})=>all.controller||active.postMessage("claim")).catch(()=>{})
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
    async handler(_options, bundle) {
      const worker = Object.keys(bundle).find((name) => name.startsWith('assets/worker-main-'));
      const page = bundle['index.html'];
      if (worker === undefined || page?.type !== 'asset')
        throw new Error('the bundle has no worker or no page');
      const { own, firstView } = findFiles(bundle, String(page.source));
      const parts = [
        earlyWorker(`./${worker}`),
        retryStyles,
        earlyFiles(firstView),
        tellFailure,
        keepOffline,
      ];
      const { code } = await minify('early-worker.js', `(()=>{${parts.join('')}})()`);
      const script = this.emitFile({ type: 'asset', name: 'early-worker.js', source: code });
      // The page's own script runs only when they are there, and would request them only when it is there itself.
      const links = own.map((file) => `<link rel="modulepreload" crossorigin href="./${file}">`);
      const tag = [`<script src="./${this.getFileName(script)}"></script>`, ...links].join('\n    ');
      const first = '<meta charset="utf-8">';
      const source = String(page.source);
      if (!source.includes(first)) throw new Error(`the page does not begin with ${first}`);
      page.source = source.replace(first, `$&\n    ${tag}`);
    },
  },
};
