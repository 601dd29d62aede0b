// Serves the built page where there is no network. It is filled in by scripts/offline.ts, and registered on https
// only (docs/decisions/0039). It keeps what the build wrote and nothing else: chains are in IndexedDB.

/** The version of the files below. */
const version = '%VERSION%';
/** All files of the page, relative to it. */
const files = ['%FILES%'];

const { scope } = registration;
/** One origin may have several pages, each in its own folder. */
const family = `tabnode ${scope} `;
const own = family + version;
/** Files whose names change with their contents. */
const isHashed = (url) => url.startsWith(`${scope}assets/`);
const options = { ignoreSearch: true, ignoreVary: true };

const keepAll = async () => {
  const cache = await caches.open(own);
  await cache.addAll(
    files.map((file) => {
      const url = new URL(file, scope).href;
      return new Request(url, { cache: isHashed(url) ? 'default' : 'no-cache' });
    }),
  );
  await skipWaiting();
};

/** Open tabs have loaded the previous version, and may load more of it. */
const dropOlder = async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith(family) && name !== own);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
  await clients.claim();
};

/** A cached file of this version, or else of the previous one. */
const findKept = async (url) => {
  const names = (await caches.keys()).filter((name) => name.startsWith(family) && name !== own);
  for (const name of [own, ...(isHashed(url) ? names : [])]) {
    const cache = await caches.open(name);
    const found = await cache.match(url, options);
    if (found) return found;
  }
  return undefined;
};

/** A library is kept once it was used. */
const answerFile = async (request) => {
  const found = await findKept(request.url);
  if (found) return found;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(own)).put(request, response.clone());
  return response;
};

/**
 * A host may respond with different headers if the URL names a node, so the cached page is only used if the
 * network is down.
 */
const answerPage = async (request, hasNode) => {
  const fromNetwork = hasNode ? await fetch(request).catch(() => null) : null;
  return fromNetwork ?? (await findKept(scope)) ?? fetch(request);
};

const kept = new Set(files.map((file) => new URL(file, scope).href));

addEventListener('install', (event) => event.waitUntil(keepAll()));
addEventListener('activate', (event) => event.waitUntil(dropOlder()));
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const { origin, pathname, searchParams } = new URL(request.url);
  const url = origin + pathname;
  if (request.mode === 'navigate') {
    if (url === scope || url === `${scope}index.html`)
      event.respondWith(answerPage(request, searchParams.has('rpc')));
  } else if (kept.has(url) || isHashed(url)) event.respondWith(answerFile(request));
});
