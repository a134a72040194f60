export const CACHE = 'reprise-scanner';
const PAGE = '/scanner';
const WORKER = '/scanner-worker.js';
/** The code-reader worker has its own URL, outside the page's scope. */
const SCOPES = [PAGE, '/assets/reader-worker'];
const FILES = '/scanner-files.json';
const ANSWERS = ['/api/auth/user', '/api/site-config', '/api/tickets/gates'];

/**
 * Caches the page for offline use; online it always comes from the site. Does nothing if the browser refuses
 * (no https, old browser, full disk).
 * @returns whether the open page is outdated
 */
export const keepPage = async (): Promise<boolean> => {
  try {
    const files: readonly string[] = await (await fetch(FILES, { cache: 'no-cache' })).json();
    const kept = await caches.open(CACHE);
    const known = new Set((await kept.keys()).map(({ url }) => new URL(url).pathname));
    const missing = [...files, ...ANSWERS].filter((path) => !known.has(path));
    await kept.addAll(missing);
    // Cache the page last, because it refers to the files.
    if (missing.length > 0 || !known.has(PAGE)) await kept.add(new Request(PAGE, { cache: 'no-cache' }));
    for (const scope of SCOPES) await navigator.serviceWorker.register(WORKER, { scope });
    const own = document.querySelector('script[type="module"][src^="/assets/"]')?.getAttribute('src');
    const isOld = !!own && !files.includes(own);
    // The open page may still need its own release's files.
    const stale = isOld
      ? []
      : [...known].filter((path) => path.startsWith('/assets/') && !files.includes(path));
    for (const path of stale) await kept.delete(path);
    return isOld;
  } catch {
    return false;
  }
};

export const forgetPage = async (): Promise<void> => {
  try {
    await caches.delete(CACHE);
    for (const scope of SCOPES) await (await navigator.serviceWorker.getRegistration(scope))?.unregister();
  } catch {
    // A browser without a cache has nothing to remove.
  }
};
