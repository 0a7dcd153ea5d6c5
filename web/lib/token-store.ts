import { isRoomFor } from './storage-room.ts';
import { type KeyValueStorage, storedText } from './store.ts';

/** The two keys in local storage (docs/product/accounts.md, "Sessions"). */
const ACCESS = 'access_token';
const REFRESH = 'refresh_token';

export interface TokenStore {
  access(): string | null;
  refresh(): string | null;
  /** Without `refresh`, keeps the current refresh token. */
  save(tokens: { access: string; refresh?: string | undefined }): void;
  clear(): void;
  /** Reports changes by this and other tabs. */
  subscribe(listener: () => void): () => void;
}

/**
 * If the storage has no room for a token, both are kept in memory. The session then lasts as long
 * as the page, or until another tab signs in. The tokens move together, because tokens of different
 * sessions must never be mixed.
 */
function withMemory(storage: KeyValueStorage, events: EventTarget): KeyValueStorage {
  const kept = new Map<string, string>();
  const isKey = (key: string | null) => key === null || key === ACCESS || key === REFRESH;
  events.addEventListener('storage', (event) => {
    if (isKey((event as StorageEvent).key)) kept.clear();
  });
  function moveToMemory() {
    for (const key of [ACCESS, REFRESH]) {
      const text = storage.getItem(key);
      if (text !== null) kept.set(key, text);
      storage.removeItem(key);
    }
  }
  return {
    getItem: (key) => kept.get(key) ?? storage.getItem(key),
    setItem(key, text) {
      if (kept.size === 0) {
        if (isRoomFor(() => storage.setItem(key, text))) return;
        moveToMemory();
      }
      kept.set(key, text);
    },
    removeItem(key) {
      kept.delete(key);
      storage.removeItem(key);
    },
  };
}

export function createTokenStore(browser: KeyValueStorage, events: EventTarget): TokenStore {
  const storage = withMemory(browser, events);
  const stored = storedText(ACCESS, storage, events);
  return {
    access: stored.get,
    refresh: () => storage.getItem(REFRESH),
    save({ access, refresh }) {
      // The access token is saved last, because other tabs listen for its change.
      if (refresh !== undefined) storage.setItem(REFRESH, refresh);
      stored.set(access);
    },
    clear() {
      storage.removeItem(REFRESH);
      stored.set(null);
    },
    subscribe: stored.subscribe,
  };
}

/** When a JWT expires, in milliseconds. Null if it is not a JWT with an expiry. */
export function expiryOf(token: string): number | null {
  const payload = token.split('.')[1];
  if (payload === undefined) return null;
  try {
    const json = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const { exp } = JSON.parse(json) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : null;
  } catch {
    return null;
  }
}

/** Whether to send this access token: it is a JWT and has not expired. */
export function isUsable(token: string | null, now: number): token is string {
  const expiry = token === null ? null : expiryOf(token);
  return expiry !== null && expiry > now;
}
