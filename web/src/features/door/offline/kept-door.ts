import { openOfflineStore } from '#web/lib/offline-store.ts';
import { CACHE, forgetPage } from './keep-page.ts';

const NAME = 'reprise-door';

export const doorStore = openOfflineStore(NAME);

export const keepsDoor = async (): Promise<boolean> => {
  try {
    if (await caches.has(CACHE)) return true;
    return (await indexedDB.databases()).some(({ name }) => name === NAME);
  } catch {
    return false;
  }
};

export const forgetDoor = async (): Promise<void> => {
  await doorStore.clear();
  await forgetPage();
};
