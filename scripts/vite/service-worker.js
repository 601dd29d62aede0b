// Serves the built page where there is no network. It is filled in by scripts/vite/emit-service-worker.ts
// (docs/decisions/0069). It keeps what the build wrote and nothing else: chains are in IndexedDB.

/** By this text, a service worker of another version is known as ours. */
const mark = 'tabnode:service-worker';
/** The version of the files below. */
const version = '%VERSION%';
/** All files of the page, relative to it. */
const files = ['%FILES%'];
/** Large files that few visits need: each is kept once it was used. */
const libraries = ['%LIBRARIES%'];

const { scope } = registration;
/** One origin may have several pages, each in its own folder. */
const family = `tabnode ${scope} `;
const own = family + version;
/** Files whose names change with their contents. */
const isHashed = (url) => url.startsWith(`${scope}assets/`);
const options = { ignoreSearch: true, ignoreVary: true };

/** An address of this machine belongs to whatever is served there at the time, not to one host. */
const isLoopback = /^(127\..*|\[::1\]|(.*\.)?localhost)$/.test(location.hostname);

/**
 * Keeps a file under its address alone: where the browser looks into the cache itself, it compares the request with the
 * headers that Vary names, and would not find what another part of the page loaded.
 */
const keep = async (cache, file) => {
  const url = new URL(file, scope).href;
  const response = await fetch(url, { cache: isHashed(url) ? 'default' : 'no-cache' });
  if (!response.ok) throw new Error(`${url} is not there: ${response.status}`);
  const headers = new Headers(response.headers);
  headers.delete('vary');
  await cache.put(url, new Response(response.body, { headers }));
};

const keepAll = async () => {
  const cache = await caches.open(own);
  await Promise.all(files.map((file) => keep(cache, file)));
  await skipWaiting();
};

/** The path of an address as a URL pattern that matches no other path. */
const patternOf = (url) => ({ pathname: new URL(url).pathname.replace(/[\\:*?+(){}]/g, '\\$&') });

/**
 * What the browser does without waiting for this service worker, where it can: it takes the files of this version from
 * their cache, and on loopback it requests the page itself. Each file is named, because what such a route does not find comes
 * from the network, and files of the previous version are only found by the fetch handler.
 */
const addRoutes = (event) => {
  const hashed = [...kept].filter(isHashed).map((url) => ({ urlPattern: patternOf(url) }));
  const page = { requestMode: 'navigate', urlPattern: patternOf(scope) };
  return event.addRoutes([
    { condition: { or: hashed }, source: { cacheName: own } },
    ...(isLoopback ? [{ condition: page, source: 'race-network-and-fetch-handler' }] : []),
  ]);
};

const install = async (event) => {
  await keepAll();
  // Without routes, all is done by the fetch handler.
  if (event.addRoutes) await addRoutes(event).catch(() => undefined);
};

/** Open tabs have loaded the previous version, and may load more of it. */
const dropOlder = async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith(family) && name !== own);
  await Promise.all(names.slice(0, -1).map((name) => caches.delete(name)));
  await clients.claim();
};

/** A cached file of this version, or else of the previous one. */
const findKept = async (url) => {
  // To open a cache would create it again if it was deleted because something else is served here now.
  const found = await caches.match(url, { ...options, cacheName: own });
  if (found || !isHashed(url)) return found;
  const names = (await caches.keys()).filter((name) => name.startsWith(family) && name !== own);
  const older = await Promise.all(names.map((cacheName) => caches.match(url, { ...options, cacheName })));
  return older.find(Boolean);
};

const urlsOf = (names) => new Set(names.map((file) => new URL(file, scope).href));
const kept = urlsOf(files);
const lazy = urlsOf(libraries);

const answerFile = async (request, url) => {
  const found = await findKept(url);
  if (found) return found;
  const response = await fetch(request);
  if (lazy.has(url) && response.ok) await (await caches.open(own)).put(request, response.clone());
  return response;
};

/** Removes this service worker if something else is served at its address now. A page that was kept is ours. */
const leaveOthers = async (page) => {
  const ours = await caches.match(scope, { ...options, cacheName: own });
  if (ours && (await ours.text()) === (await page.text())) return;
  const response = await fetch(new URL('service-worker.js', scope), { cache: 'no-store' }).catch(() => null);
  if (response === null || (response.ok && (await response.text()).includes(mark))) return;
  await registration.unregister();
  const names = (await caches.keys()).filter((name) => name.startsWith(family));
  await Promise.all(names.map((name) => caches.delete(name)));
};

/**
 * Of the files without a hash in their names, such as the default runtime, other versions have other contents. On loopback,
 * the page may be of another version, so they come from the server that serves it, if one responds.
 */
const answerUnhashed = async (request, url) =>
  (isLoopback ? await fetch(request).catch(() => null) : null) ?? answerFile(request, url);

/**
 * On loopback, the cached page is only used if no server responds, so that it is never shown in place of another version or
 * another application. The same with a node in the URL, for which a host may send other headers.
 */
const answerPage = async (event, hasNode) => {
  const { request } = event;
  const fromNetwork = hasNode || isLoopback ? await fetch(request).catch(() => null) : null;
  if (fromNetwork !== null && isLoopback) event.waitUntil(leaveOthers(fromNetwork.clone()));
  return fromNetwork ?? (await findKept(scope)) ?? fetch(request);
};

addEventListener('install', (event) => event.waitUntil(install(event)));
addEventListener('activate', (event) => event.waitUntil(dropOlder()));
addEventListener('message', (event) => {
  if (event.data === 'claim') event.waitUntil(clients.claim());
});
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const { origin, pathname, searchParams } = new URL(request.url);
  const url = origin + pathname;
  if (request.mode === 'navigate') {
    if (url === scope || url === `${scope}index.html`)
      event.respondWith(answerPage(event, searchParams.has('rpc')));
  } else if (isHashed(url)) event.respondWith(answerFile(request, url));
  else if (kept.has(url)) event.respondWith(answerUnhashed(request, url));
});
