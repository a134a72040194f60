/**
 * What the browser keeps for the site: two storages, a channel between the person's tabs, and cookies. A browser can refuse each of
 * them, at reading or at writing (all cookies blocked, a full disk, a frame of another site, an older browser). The page then goes on
 * with what it has in memory, until it is reloaded. Nothing else in the client uses the browser's own names.
 */

/** Texts by keys. What the browser doesn't take is kept in memory. */
interface Kept {
  /** Null if there is nothing under that key. */
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

const keptIn = (name: 'localStorage' | 'sessionStorage'): Kept => {
  /** The changes that the browser has refused: the text, or null for a removal. */
  const refused = new Map<string, string | null>();
  const change = (key: string, value: string | null): void => {
    try {
      if (value === null) globalThis[name].removeItem(key);
      else globalThis[name].setItem(key, value);
      refused.delete(key);
    } catch {
      refused.set(key, value);
    }
  };
  return {
    get(key) {
      const own = refused.get(key);
      if (own !== undefined) return own;
      try {
        return globalThis[name].getItem(key);
      } catch {
        return null;
      }
    },
    set: change,
    remove: (key) => change(key, null),
  };
};

/** What a kept text holds as JSON; undefined if it holds none, as when something else wrote it. */
export const jsonOf = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
};

/** Kept for the person's next visits. */
export const forVisits = keptIn('localStorage');
/** Listens to what other tabs keep for visits, or remove. Returns what ends that. */
export const onKeptElsewhere = (heard: () => void): (() => void) => {
  addEventListener('storage', heard);
  return () => removeEventListener('storage', heard);
};

/** Kept for this tab, also over a reload. */
export const forTab = keptIn('sessionStorage');

/** The tab's key for what somebody is typing into a form (`kept-form.ts`). Only the last form is kept. */
export const TYPED_FORM = 'typed-form';

/**
 * Listens to the same person's other tabs, and returns a function that tells them. Without channels no tab hears of another; each
 * learns from the server's next answer. What is heard may come from another version of this site.
 */
export const openChannel = (
  name: string,
  heard: (said?: string) => void,
): ((said?: string | undefined) => void) => {
  try {
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => heard(data);
    return (said) => channel.postMessage(said);
  } catch {
    return () => undefined;
  }
};

/** All cookies that scripts may read, as `name=value` joined by `; `; empty if they are blocked. */
export const readCookies = (): string => {
  try {
    return document.cookie;
  } catch {
    return '';
  }
};

/** Tells the server something with every request, for a year. A browser that keeps no cookies forgets it at once. */
export const tellServer = (name: string, value: string): void => {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the other way to write cookies is not in all browsers.
    document.cookie = `${name}=${value}; Path=/; SameSite=Lax; Max-Age=31536000`;
  } catch {
    // Nothing depends on it.
  }
};

/** Whether the browser keeps cookies for this site, found out by trying. Nobody can sign in without. */
export const keepsCookies = (): boolean => {
  const probe = 'reprise-probe=1';
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the other way to write cookies is not in all browsers.
    document.cookie = `${probe}; SameSite=Lax`;
    const kept = document.cookie.includes(probe);
    // biome-ignore lint/suspicious/noDocumentCookie: as above.
    document.cookie = `${probe}; SameSite=Lax; Max-Age=0`;
    return kept;
  } catch {
    return false;
  }
};
