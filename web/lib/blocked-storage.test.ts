import { expect, test } from 'vitest';
import { createRenewal } from './api.ts';
import { isRoomFor, NOTHING_STORED, openStorage } from './store.ts';
import { fakeStorage, jwt, NOW } from './testing/session-fakes.ts';
import { createTokenStore } from './token-store.ts';

const refuse = (name: string) => () => {
  throw new DOMException('refused', name);
};
const denied = refuse('SecurityError');

/** What browsers answer to a page that may not store anything, and whether the page notices. */
const FAILURES: Record<string, [open: () => Storage | null, isBlocked: boolean]> = {
  'the getter throws': [denied, true],
  'it is null': [() => null, true],
  'every method throws': [
    () => storageWith({ getItem: denied, setItem: denied, removeItem: denied, key: denied }),
    true,
  ],
  'nothing can be written': [() => storageWith({ setItem: denied }), false],
  'there is no room': [() => storageWith({ setItem: refuse('QuotaExceededError') }), false],
  'nothing can be removed': [() => storageWith({ removeItem: denied }), true],
};
const storageWith = (methods: object) =>
  Object.assign(fakeStorage(), methods) as unknown as Storage;

test.for(Object.entries(FAILURES))('a session lives in memory if %s', ([, [open, isBlocked]]) => {
  const storage = openStorage(open);
  expect(storage === NOTHING_STORED).toBe(isBlocked);
  expect(Array.from({ length: storage.length }, (_, n) => storage.key(n))).toEqual([]);
  expect(isRoomFor(() => storage.setItem('draft', 'x'))).toBe(
    isBlocked || open()?.setItem.name === 'setItem',
  );
  const tokens = createTokenStore(storage, new EventTarget(), () => NOW);
  expect([tokens.access(), tokens.expiry()]).toEqual([null, null]);
  tokens.save({ access: jwt(60), refresh: 'refresh' });
  if (!isBlocked) expect([tokens.access(), tokens.refresh()]).toEqual([jwt(60), 'refresh']);
  tokens.clear();
});

const LOCKS: Record<string, () => Promise<never>> = {
  throws: denied,
  rejects: async () => denied(),
};

test.for(Object.entries(LOCKS))('renews the token if navigator.locks %s', async ([, request]) => {
  const tokens = createTokenStore(fakeStorage(), new EventTarget(), () => NOW);
  const [stale, next] = [jwt(-60), jwt(600)];
  tokens.save({ access: stale, refresh: 'refresh' });
  const renewal = createRenewal({
    tokens,
    now: () => NOW,
    exchange: async () => ({ access: next }),
    locks: { request } as unknown as LockManager,
  });
  expect(await renewal.renew(stale)).toBe('renewed');
  expect(tokens.access()).toBe(next);
  expect(await renewal.inTurn(async () => 'done')).toBe('done');
  await expect(
    renewal.inTurn(async () => {
      throw new Error('own');
    }),
  ).rejects.toThrow('own');
});
