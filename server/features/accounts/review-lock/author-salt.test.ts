import { randomBytes } from 'node:crypto';
import { curbside } from '#server/cli/testing/curbside.ts';
import { TEST_CONFIG } from '#server/testing/app.ts';
import { expect, type Site, testWith } from '#server/testing/site.ts';
import { addMember, NEW_PASSWORD } from '../testing/account-flows.ts';
import { isLocked, lock, newPoster, ownIds } from '../testing/locked-account.ts';
import { canLogIn, logIn, newDevice, resetPassword } from '../testing/site-flows.ts';
import { openAuthorSalt } from './author-salt.ts';

const [current, before, lost] = [randomBytes(32), randomBytes(32), randomBytes(32)];

/** Secrets with these authorship keys. */
const under = (...authorship: Buffer[]) => ({ ...TEST_CONFIG.secrets, authorship });
const goTo = ({ deps }: Site, ...authorship: Buffer[]) => deps.keys.replace(under(...authorship));

const test = testWith({ config: { secrets: under(current, before) } });

async function epochOf({ deps }: Site, { id }: { id: string }): Promise<string> {
  const { author_salt } = await deps.db
    .selectFrom('users')
    .select('author_salt')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return openAuthorSalt(deps.keys, id, author_salt).epoch;
}

test('a lost authorship key locks nobody out whose reviews are not locked', async ({ site }) => {
  goTo(site, lost);
  const member = await newPoster(site);
  goTo(site, current, before);
  expect(await canLogIn(site, member.email)).toBe(true);
  expect(await curbside(site, ['authorship', 'rotate'])).toMatchObject({ code: 0 });
  // Locking creates a new salt.
  const review = await site.review({ by: await lock(site, member) });
  const again = await newDevice(site, member.email);
  expect([await isLocked(site, again), await ownIds(site, again)]).toEqual([true, [review.id]]);
});

test('with a lost authorship key, a password reset lets in an author with locked reviews', async ({
  site,
}) => {
  goTo(site, lost);
  const { email } = await lock(site, await newPoster(site));
  goTo(site, current);
  // A session must not write as an unlocked author without the user's knowledge.
  expect((await logIn(site, email)).status).toBe(500);
  await resetPassword(site, email, NEW_PASSWORD);
  expect(await canLogIn(site, email, NEW_PASSWORD)).toBe(true);
});

test('after a rotation, no salt shows whose reviews are locked', async ({ site }) => {
  goTo(site, before);
  const members = [await lock(site, await newPoster(site)), await addMember(site)];
  goTo(site, current, before);
  const [{ id: epoch }] = site.deps.keys.authorSalts;
  for (const member of members) {
    expect(await epochOf(site, member)).not.toBe(epoch);
    await newDevice(site, member.email);
    expect(await epochOf(site, member)).toBe(epoch);
  }
});
