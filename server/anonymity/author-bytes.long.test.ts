import { test as base, expect } from 'vitest';
import { buildAttackedSite } from './testing/attacked-site.ts';
import { areLinkedInFiles } from './testing/links.ts';
import { learn } from './testing/measure.ts';
import { needlesOf, occurrences } from './testing/needles.ts';
import { dumpedBytes } from './testing/open-dump.ts';
import { ALL_KEYS } from './testing/thief.ts';
import { reviewsOf } from './testing/truth.ts';

const test = base.extend(
  'site',
  { scope: 'file' },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads a fixture's needs from its pattern.
  async ({}, { onCleanup }: { onCleanup: (cleanup: () => PromiseLike<void>) => void }) => {
    const site = await buildAttackedSite(60, { count: 300, from: 30 });
    onCleanup(() => site.server[Symbol.asyncDispose]());
    return site;
  },
);

test('after the rewrite, no byte of any file ties a locked author to a review', ({ site }) => {
  const { world, after, server } = site;
  const locked = [...world.lockedAt.keys()];
  expect(locked.length).toBeGreaterThan(15);
  // Anyone with the authorship key can compute the keys that the accounts had before.
  const keys = server.deps.keys;
  const former = needlesOf(locked.flatMap((userId) => keys.authorKeys(userId)).map(dumpedBytes));
  const places = after.fragments.flatMap(({ table, bytes }) =>
    occurrences(bytes, former).map(() => table),
  );
  expect([...new Set(places)]).toEqual([]);
  expect(learn(site, after, ALL_KEYS, reviewsOf(site, 'locked')).accounts).toBe(0);
});

test('after the rewrite, no byte of any file links reviews that an account left behind', ({
  site: { world, after },
}) => {
  const several = world.leftBehind.filter((ids) => ids.length > 1);
  expect(several.length).toBeGreaterThan(0);
  for (const ids of several) expect(areLinkedInFiles(after, ids)).toBe(false);
});
