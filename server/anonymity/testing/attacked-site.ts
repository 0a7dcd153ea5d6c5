import { rewriteTables } from '#server/db/rewrite.ts';
import type { NpiRegistry } from '#server/npi-registry/registry.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { type Dump, dumpDatabase } from './dump.ts';
import type { Target } from './matcher.ts';
import { dumpedBytes } from './open-dump.ts';
import type { Pair } from './order.ts';
import { newPeople, type Person } from './people.ts';
import { populate } from './population.ts';
import { randomFrom } from './random.ts';
import type { Suspects } from './thief.ts';
import type { World } from './world.ts';

const SIZE = 200;

/** A site that was lived on for a day, and what was stolen of it before and after the night. */
export async function buildAttackedSite() {
  const random = randomFrom(20_250_812);
  const people = newPeople(random, SIZE);
  const server = await buildTestApp({ npiRegistry: registryOf(people) });
  const world = await populate(server, people, random);
  const { pool } = server.deps.database;
  const before = await dumpDatabase(pool);
  await rewriteTables(pool);
  const after = await dumpDatabase(pool);
  return { server, world, people, suspects: suspectsOf(people), before, after };
}
export type AttackedSite = Awaited<ReturnType<typeof buildAttackedSite>>;

function registryOf(people: readonly Person[]): NpiRegistry {
  return {
    async lookUp(npi) {
      const person = people.find((one) => one.npi === npi);
      if (!person) return { kind: 'unknown' };
      const names = [{ first: person.first_name, last: person.last_name }];
      return { kind: 'person', active: true, names, taxonomies: ['207R00000X'] };
    },
  };
}

/** Everybody, and where everybody is. */
const suspectsOf = (people: readonly Person[]): Suspects => ({
  people,
  addresses: people.map(({ address }) => address),
});

/** Whose reviews are looked for: the adversaries learn less of some than of others. */
export type Cohort = 'unlocked' | 'locked';

/** One review of each author: several of one would count the same finding more than once. */
export function reviewsOf({ authors, locked }: World, cohort: Cohort = 'unlocked'): Target {
  const firsts = new Map<string, string>();
  for (const [id, userId] of authors) {
    const isMeant = locked.has(userId) === (cohort === 'locked');
    if (isMeant && !firsts.has(userId)) firsts.set(userId, id);
  }
  const pairs = [...firsts].map(([owner, key]): Pair => ({ key, owner }));
  return { table: 'public.reviews', column: 'id', pairs };
}

/** Votes by their keys, which only the authorship key can make. */
export function votesOf({ votes, locked, server }: World): Target {
  const { keys } = server.deps;
  const pairs = votes
    .filter(({ userId }) => !locked.has(userId))
    .map(({ userId, reviewId }) => ({
      owner: userId,
      key: dumpedBytes(keys.deedKey('vote', userId, reviewId)),
    }));
  return { table: 'public.review_votes', column: 'voter_key', pairs };
}

/** Sessions by their names for accounts, which only the session key can make. */
export function sessionsOf({ members, server }: World): Target {
  const { keys } = server.deps;
  const pairs = members.map(({ userId }) => ({
    owner: userId,
    key: dumpedBytes(keys.sessionIndex('session-account', userId)),
  }));
  return { table: 'public.sessions', column: 'account_key', pairs };
}

/** The same rows, with people in the place of accounts. */
export function byPerson({ pairs, ...where }: Target, { joined }: World): Target {
  const npis = new Map(joined.map(({ userId, person }) => [userId, person.npi]));
  return {
    ...where,
    pairs: pairs.map(({ key, owner }) => ({ key, owner: npis.get(owner) ?? '' })),
  };
}

export const rowsOf = ({ tables }: Dump, table: string) => tables.get(`public.${table}`) ?? [];
