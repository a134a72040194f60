/**
 * Browsers may refuse any access (blocked cookies, full disk, third-party frame); the page then continues in
 * memory until reloaded. All access to storage, channels and cookies goes through this file.
 */

interface Kept {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

const keptIn = (name: 'localStorage' | 'sessionStorage'): Kept => {
  /** Refused changes: the text, or null for a removal. */
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

export const jsonOf = (text: string | null): unknown => {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
};

export const forVisits = keptIn('localStorage');
export const onKeptElsewhere = (heard: () => void): (() => void) => {
  addEventListener('storage', heard);
  return () => removeEventListener('storage', heard);
};

export const forTab = keptIn('sessionStorage');

/** Session-storage key used by `draft.ts`. */
export const TYPED_FORM = 'typed-form';

/**
 * Channel to this user's other tabs; returns its send function. Without BroadcastChannel, tabs learn from
 * the next answer. Messages may come from another version of the site.
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

export const readCookies = (): string => {
  try {
    return document.cookie;
  } catch {
    return '';
  }
};

export const tellServer = (name: string, value: string): void => {
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the other way to write cookies is not in all browsers.
    document.cookie = `${name}=${value}; Path=/; SameSite=Lax; Max-Age=31536000`;
  } catch {
    // Nothing depends on it.
  }
};

/** Tests by setting a cookie; sign-in requires cookies. */
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
