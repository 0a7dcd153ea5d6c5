import { expect, test } from 'vitest';
import { createTokenStore } from './token-store.ts';

/** Storage with room for `letters` characters, which tabs share. */
function storageFor(letters: number) {
  const texts = new Map<string, string>();
  const used = () => [...texts.values()].join('').length;
  return {
    texts,
    room: letters,
    getItem: (key: string) => texts.get(key) ?? null,
    setItem(key: string, text: string) {
      if (used() - (texts.get(key)?.length ?? 0) + text.length > this.room) {
        throw new DOMException('full', 'QuotaExceededError');
      }
      texts.set(key, text);
    },
    removeItem: (key: string) => void texts.delete(key),
  };
}

const changedElsewhere = (key: string | null) => Object.assign(new Event('storage'), { key });

test.each([0, 4, 6])('with room for %i characters, both tokens are in one place', (letters) => {
  const storage = storageFor(letters);
  const tokens = createTokenStore(storage, new EventTarget());
  tokens.save({ access: 'a-1', refresh: 'r-1' });
  expect([tokens.access(), tokens.refresh()]).toEqual(['a-1', 'r-1']);
  expect(storage.texts.size).toBe(letters === 6 ? 2 : 0);
});

test('a renewed token stays with the other one, even if there is room again', () => {
  const storage = storageFor(0);
  const tokens = createTokenStore(storage, new EventTarget());
  tokens.save({ access: 'a-1', refresh: 'r-1' });
  storage.room = 100;
  tokens.save({ access: 'a-2' });
  expect([tokens.access(), tokens.refresh()]).toEqual(['a-2', 'r-1']);
  expect(storage.texts.has('access_token')).toBe(false);
  tokens.clear();
  tokens.save({ access: 'a-3', refresh: 'r-3' });
  expect(storage.texts.has('access_token')).toBe(true);
});

test('a login in another tab replaces what is in memory', () => {
  const storage = storageFor(0);
  const events = new EventTarget();
  const tokens = createTokenStore(storage, events);
  tokens.save({ access: 'a-ana', refresh: 'r-ana' });
  storage.room = 100;
  createTokenStore(storage, new EventTarget()).save({ access: 'a-ben', refresh: 'r-ben' });
  events.dispatchEvent(changedElsewhere('access_token'));
  expect([tokens.access(), tokens.refresh()]).toEqual(['a-ben', 'r-ben']);
});

test('a page that is shown again forgets the tokens in its memory', () => {
  const events = new EventTarget();
  const tokens = createTokenStore(storageFor(0), events);
  tokens.save({ access: 'a-ana', refresh: 'r-ana' });
  events.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect([tokens.access(), tokens.refresh()]).toEqual([null, null]);
});

const claims = (exp: number, iat?: number) => `.${btoa(JSON.stringify({ exp, iat }))}.signature`;

test('a token lives from its receipt, in all tabs, even if the clock of this computer is wrong', () => {
  const storage = storageFor(1000);
  const fast = 2_000_000_000_000;
  const tokens = createTokenStore(storage, new EventTarget(), () => fast);
  tokens.save({ access: claims(1_000_900, 1_000_000), refresh: 'r' });
  expect(tokens.expiry()).toBe(fast + 900_000);
  expect(createTokenStore(storage, new EventTarget()).expiry()).toBe(fast + 900_000);
  // Its receipt is that of another token.
  storage.setItem('access_token', `${claims(1_000_900, 1_000_000)}-2`);
  expect(tokens.expiry()).toBe(1_000_900_000);
});
