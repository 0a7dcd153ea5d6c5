import { isRoomFor, type KeyValueStorage, onOtherPages, storedText } from './store.ts';

/** The two keys in local storage (docs/product/accounts.md, "Sessions"). */
const ACCESS = 'access_token';
const REFRESH = 'refresh_token';
/** When this browser received the access token, by its own clock, and the token's last letters. */
const RECEIPT = 'access_token_at';
const LAST_LETTERS = 16;

export interface TokenStore {
  access(): string | null;
  refresh(): string | null;
  /** The id of the account that the tokens belong to. Null without tokens, empty if it is no JWT. */
  owner(): string | null;
  /** When the access token expires, in milliseconds of this browser's clock. Null if it is no JWT. */
  expiry(): number | null;
  /** Without `refresh`, keeps the current refresh token. */
  save(tokens: { access: string; refresh?: string | undefined }): void;
  clear(): void;
  /** Reports changes, and whether another page made them: in another tab, or while this one was kept. */
  subscribe(listener: (isElsewhere: boolean) => void): () => void;
}

/**
 * If the storage has no room for a token, both are kept in memory. The session then lasts as long
 * as the page, or until another tab signs in. The tokens move together, because tokens of different
 * sessions must never be mixed.
 */
function withMemory(storage: KeyValueStorage, events: EventTarget): KeyValueStorage {
  const kept = new Map<string, string>();
  const isKey = (key: string | null) => key === null || key === ACCESS || key === REFRESH;
  onOtherPages(events, (key) => {
    if (isKey(key)) kept.clear();
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

export function createTokenStore(
  browser: KeyValueStorage,
  events: EventTarget,
  now: () => number = Date.now,
): TokenStore {
  const storage = withMemory(browser, events);
  const stored = storedText(ACCESS, storage, events);
  let isOwnChange = false;
  function change(access: string | null) {
    isOwnChange = true;
    stored.set(access);
    isOwnChange = false;
  }
  return {
    access: stored.get,
    refresh: () => storage.getItem(REFRESH),
    owner() {
      const access = stored.get();
      return access === null ? null : ownerOf(access);
    },
    expiry() {
      const access = stored.get();
      return access === null ? null : expiryOf(access, browser.getItem(RECEIPT));
    },
    save({ access, refresh }) {
      // The access token is saved last, because other tabs listen for its change.
      if (refresh !== undefined) storage.setItem(REFRESH, refresh);
      isRoomFor(() => browser.setItem(RECEIPT, now() + access.slice(-LAST_LETTERS)));
      change(access);
    },
    clear() {
      storage.removeItem(REFRESH);
      browser.removeItem(RECEIPT);
      change(null);
    },
    subscribe: (listener) => stored.subscribe(() => listener(!isOwnChange)),
  };
}

interface Claims {
  sub?: unknown;
  exp?: unknown;
  iat?: unknown;
}

/** The claims of a JWT. None if it is not one. */
function claimsOf(token: string): Claims {
  try {
    const payload = token.split('.')[1] ?? '';
    return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Claims;
  } catch {
    return {};
  }
}

/** The id of the account that an access token belongs to. */
export function ownerOf(access: string): string {
  const { sub } = claimsOf(access);
  return typeof sub === 'string' ? sub : '';
}

/**
 * When a JWT expires, in milliseconds. Null if it is not a JWT with an expiry. If its receipt is
 * known, its lifetime counts from then, because the browser's clock may be wrong.
 */
function expiryOf(token: string, receipt: string | null): number | null {
  const { exp, iat } = claimsOf(token);
  if (typeof exp !== 'number') return null;
  const isReceipt = receipt?.slice(-LAST_LETTERS) === token.slice(-LAST_LETTERS);
  if (typeof iat !== 'number' || !isReceipt) return exp * 1000;
  return Number(receipt.slice(0, -LAST_LETTERS)) + (exp - iat) * 1000;
}

/** Whether to send the access token: it is a JWT and has not expired. */
export const isUsable = (tokens: TokenStore, now: number): boolean => (tokens.expiry() ?? 0) > now;
