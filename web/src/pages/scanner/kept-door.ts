/** What the scanner keeps on the device, as far as pages need to know that do without the scanner. */
import { openShelf } from '../../lib/shelf.ts';
import { CACHE, forgetPage } from './keep-page.ts';

const NAME = 'reprise-door';

/** The list of tickets and the scans. */
export const doorShelf = openShelf(NAME);

/** Whether the scanner was open on this device, whoever is signed in by now. False where the browser can't tell. */
export const keepsDoor = async (): Promise<boolean> => {
  try {
    if (await caches.has(CACHE)) return true;
    return (await indexedDB.databases()).some(({ name }) => name === NAME);
  } catch {
    return false;
  }
};

/** Removes the list, all scans and the scanner's page from the device. */
export const forgetDoor = async (): Promise<void> => {
  await doorShelf.clear();
  await forgetPage();
};
