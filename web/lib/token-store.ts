import { type KeyValueStorage, storedText } from './store.ts';

/** The two keys in local storage (docs/product/accounts.md, "Sessions"). */
const ACCESS = 'access_token';
const REFRESH = 'refresh_token';

export interface TokenStore {
  access(): string | null;
  refresh(): string | null;
  /** A renewal may keep the refresh token it was made with. */
  save(tokens: { access: string; refresh?: string | undefined }): void;
  clear(): void;
  /** Reports every change, this tab's and another's. */
  subscribe(listener: () => void): () => void;
}

export function createTokenStore(storage: KeyValueStorage, events: EventTarget): TokenStore {
  const stored = storedText(ACCESS, storage, events);
  return {
    access: stored.get,
    refresh: () => storage.getItem(REFRESH),
    save({ access, refresh }) {
      // The access token goes last: its change is what other tabs listen for.
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

/** When a JWT ends, in milliseconds; null for what is not a JWT with an expiry. */
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

/** An expired access token is not sent; nor is one that is no token. */
export function isUsable(token: string | null, now: number): token is string {
  const expiry = token === null ? null : expiryOf(token);
  return expiry !== null && expiry > now;
}
