/**
 * Opens the scanner without a network, from what `keep-page.ts` has kept on the device. With a network everything comes from the site:
 * the page, and who is signed in. Only files whose names hold their hash are taken from the device first.
 */
const CACHE = 'reprise-scanner';
const PAGE = '/scanner';
const ANSWERS = ['/api/auth/user', '/api/site-config', '/api/tickets/gates'];
/** A network that says nothing for so long is none, in milliseconds. */
const PATIENCE = 8_000;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** What is kept under a path; undefined if nothing is. */
const keptAt = (path) => caches.match(path, { cacheName: CACHE, ignoreVary: true });

/** Marks an answer as one of the device, which says neither that there is a connection nor what time it is. */
const asKept = ({ body, headers, status, statusText }) => {
  const marked = new Response(body, { headers, status, statusText });
  marked.headers.set('X-Kept', 'true');
  return marked;
};

/** Asks the site, and takes what is kept if no answer comes. */
const freshOrKept = async (request, path) => {
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    // After a sign-out nothing is kept any more.
    if (ANSWERS.includes(path) && (await caches.has(CACHE))) {
      const kept = await caches.open(CACHE);
      if (answer.ok) await kept.put(path, answer.clone());
      else if (answer.status === 401) await kept.delete(path);
    }
    return answer;
  } catch (error) {
    const kept = await keptAt(path);
    if (!kept) throw error;
    return asKept(kept);
  }
};

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || request.method !== 'GET') return;
  if (pathname.startsWith('/assets/'))
    event.respondWith(keptAt(pathname).then((kept) => kept ?? fetch(request)));
  else if ((request.mode === 'navigate' && pathname === PAGE) || ANSWERS.includes(pathname))
    event.respondWith(freshOrKept(request, pathname));
});
