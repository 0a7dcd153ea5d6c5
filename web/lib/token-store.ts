/** The two keys of the specification, section 3 ("Session tokens"). */
const ACCESS = 'access_token';
const REFRESH = 'refresh_token';

export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface TokenStore {
  access(): string | null;
  refresh(): string | null;
  /** A renewal may keep the refresh token it was made with. */
  save(tokens: { access: string; refresh?: string | undefined }): void;
  clear(): void;
  /** Tells of every change, this tab's and another's. */
  subscribe(listener: () => void): () => void;
}

/** `events` is the window: it tells of other tabs' changes. */
export function createTokenStore(storage: KeyValueStorage, events: EventTarget): TokenStore {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  events.addEventListener('storage', (event) => {
    const { key } = event as StorageEvent;
    // No key: the whole storage was cleared.
    if (key === ACCESS || key === null) tell();
  });
  return {
    access: () => storage.getItem(ACCESS),
    refresh: () => storage.getItem(REFRESH),
    save({ access, refresh }) {
      // The access token goes last: its change is what other tabs listen for.
      if (refresh !== undefined) storage.setItem(REFRESH, refresh);
      storage.setItem(ACCESS, access);
      tell();
    },
    clear() {
      storage.removeItem(REFRESH);
      storage.removeItem(ACCESS);
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
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

/** An expired access token is not sent (specification, section 5); nor is one that is no token. */
export function isUsable(token: string | null, now: number): token is string {
  const expiry = token === null ? null : expiryOf(token);
  return expiry !== null && expiry > now;
}
