import { rewriteTables } from '#server/db/testing/rewrite.ts';
import type { NpiRegistry } from '#server/npi-registry/registry.ts';
import { buildTestApp } from '#server/testing/app.ts';
import { type Dump, dumpDatabase } from './dump.ts';
import type { Target } from './matcher.ts';
import { newPeople, type Person } from './people.ts';
import { populate } from './population.ts';
import { randomFrom } from './random.ts';
import type { Suspects } from './thief.ts';
import { authorsOf } from './truth.ts';
import type { World } from './world.ts';

const SIZE = 200;

/** A site after one day of activity, with dumps from before and after the nightly rewrite. */
export async function buildAttackedSite(
  size = SIZE,
  deeds?: Parameters<typeof populate>[3],
  dump = dumpDatabase,
) {
  const random = randomFrom(20_250_812);
  const people = newPeople(random, size);
  const server = await buildTestApp({ npiRegistry: registryOf(people) });
  const world = await populate(server, people, random, deeds);
  const { pool } = server.deps.database;
  const before = await dump(pool);
  await rewriteTables(pool);
  await pool.query('vacuum (analyze)');
  // Removes the rewrites that locks queued. They would do the same ten minutes later.
  await pool.query("delete from pgboss.job where name = 'rewrite'");
  const after = await dump(pool);
  const authors = await authorsOf(world);
  return { server, world, authors, people, suspects: suspectsOf(people), before, after };
}
export type AttackedSite = Awaited<ReturnType<typeof buildAttackedSite>>;

/** A registry that knows exactly these people. */
export function registryOf(people: readonly Person[]): NpiRegistry {
  return {
    async lookUp(npi) {
      const person = people.find((one) => one.npi === npi);
      if (!person) return { kind: 'unknown' };
      const names = [{ first: person.first_name, last: person.last_name }];
      return { kind: 'person', active: true, names, taxonomies: ['207R00000X'], practice: null };
    },
  };
}

/** All people and all their network addresses. */
export const suspectsOf = (people: readonly Person[]): Suspects => ({
  people,
  addresses: people.map(({ address }) => address),
});

/** The same rows, owned by people instead of accounts. */
export function byPerson({ pairs, ...where }: Target, { joined }: World): Target {
  const npis = new Map(joined.map(({ userId, person }) => [userId, person.npi]));
  return {
    ...where,
    pairs: pairs.map(({ key, owner }) => ({ key, owner: npis.get(owner) ?? '' })),
  };
}

export const rowsOf = ({ tables }: Dump, table: string) => tables.get(`public.${table}`) ?? [];
