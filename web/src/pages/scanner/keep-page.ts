/** Where the scanner's page is kept, for devices that open it without a network. `web/public/scanner-worker.js` answers from there. */
export const CACHE = 'reprise-scanner';
const PAGE = '/scanner';
const WORKER = '/scanner-worker.js';
/** The worker that reads codes is fetched by its own address, so that the page's scope does not contain it. */
const SCOPES = [PAGE, '/assets/reader-worker'];
/** The files that the page is made from; the build writes it. */
const FILES = '/scanner-files.json';
/** What the page asks before anything else. */
const ANSWERS = ['/api/auth/user', '/api/site-config', '/api/tickets/gates'];

/**
 * Keeps the scanner's page on the device, so that it can be opened without a network after it was closed. With a network it always comes
 * from the site. Where the browser refuses (without https, an old browser, a full disk) nothing is kept.
 * @returns whether the page that is open is older than the site's
 */
export const keepPage = async (): Promise<boolean> => {
  try {
    const files: readonly string[] = await (await fetch(FILES, { cache: 'no-cache' })).json();
    const kept = await caches.open(CACHE);
    const known = new Set((await kept.keys()).map(({ url }) => new URL(url).pathname));
    const missing = [...files, ...ANSWERS].filter((path) => !known.has(path));
    await kept.addAll(missing);
    // Last: it names the files.
    if (missing.length > 0 || !known.has(PAGE)) await kept.add(new Request(PAGE, { cache: 'no-cache' }));
    for (const scope of SCOPES) await navigator.serviceWorker.register(WORKER, { scope });
    const own = document.querySelector('script[type="module"][src^="/assets/"]')?.getAttribute('src');
    const isOld = !!own && !files.includes(own);
    // The page that is open may still need the files of its own release.
    const stale = isOld
      ? []
      : [...known].filter((path) => path.startsWith('/assets/') && !files.includes(path));
    for (const path of stale) await kept.delete(path);
    return isOld;
  } catch {
    return false;
  }
};

/** Removes the page from the device, with who was signed in. */
export const forgetPage = async (): Promise<void> => {
  try {
    await caches.delete(CACHE);
    for (const scope of SCOPES) await (await navigator.serviceWorker.getRegistration(scope))?.unregister();
  } catch {
    // A browser that keeps nothing has nothing to remove.
  }
};
