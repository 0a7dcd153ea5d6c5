import { rewriteTables } from '#server/db/testing/rewrite.ts';
import { counterKey } from '#server/rate-limits/rate-limits.ts';
import { seal, unseal } from '../seal.ts';
import { type AttackedSite, rowsOf } from './attacked-site.ts';
import { type Dump, dumpDatabase } from './dump.ts';
import { bytesOf, dumpedBytes } from './open-dump.ts';
import { randomFrom } from './random.ts';

const HOUR_MS = 3_600_000;

export const query = ({ server }: AttackedSite, sql: string, values: unknown[] = []) =>
  server.deps.database.pool.query(sql, values);
export const dumpNow = ({ server }: AttackedSite): Promise<Dump> =>
  dumpDatabase(server.deps.database.pool);
/** A random order, so that only the leak reveals anything. */
const shuffled = <T>(items: Iterable<T>) => randomFrom(1).shuffled([...items]);

/** Removes what is left of former versions of rows, which the next dump would find. */
const emptySpace = (site: AttackedSite, table: string) => query(site, `vacuum full ${table}`);

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** Row id -> value of the new column. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** Dumps the database with one more column, then drops the column again. */
export async function withColumn(site: AttackedSite, column: Column): Promise<Dump> {
  const { table, name, type, values } = column;
  await query(site, `alter table ${table} add column ${name} ${type}`);
  try {
    await query(site, `alter table ${table} disable trigger user`);
    const rows = shuffled(values);
    await query(
      site,
      `update ${table} set ${name} = leak.value
       from unnest($1::uuid[], $2::${type}[]) as leak (id, value) where ${table}.id = leak.id`,
      [rows.map(([id]) => id), rows.map(([, value]) => value)],
    );
    return await dumpNow(site);
  } finally {
    await query(site, `alter table ${table} drop column ${name}`);
    await query(site, `alter table ${table} enable trigger user`);
    await emptySpace(site, table);
  }
}

/** Dumps the database after it had one more column, which is empty again. */
export async function withFormerColumn(site: AttackedSite, column: Column): Promise<Dump> {
  const { table, name, type, values } = column;
  await query(site, `alter table ${table} add column ${name} ${type}`);
  await query(site, `alter table ${table} disable trigger user`);
  await query(
    site,
    `update ${table} set ${name} = leak.value
     from unnest($1::uuid[], $2::${type}[]) as leak (id, value) where ${table}.id = leak.id`,
    [[...values.keys()], [...values.values()]],
  );
  await query(site, `update ${table} set ${name} = null`);
  await query(site, `alter table ${table} drop column ${name}`);
  await query(site, `alter table ${table} enable trigger user`);
  await query(site, `vacuum (analyze) ${table}`);
  const dump = await dumpNow(site);
  await emptySpace(site, table);
  return dump;
}

/** Dumps the database as if identities were stored out of line, and rewritten with their pointers. */
export async function withIdentitiesOutOfLine(site: AttackedSite): Promise<Dump> {
  const { pool } = site.server.deps.database;
  const anew = "update users set sealed = sealed || ''::bytea";
  await query(site, 'alter table users set (toast_tuple_target = 2032)');
  for (const { userId } of site.world.joined) await query(site, `${anew} where id = $1`, [userId]);
  await rewriteTables(pool);
  const dump = await dumpNow(site);
  await query(site, 'alter table users set (toast_tuple_target = 8160)');
  await query(site, anew);
  await rewriteTables(pool);
  return dump;
}

/** Dumps the database with the planner's statistics of one more column, after its rows are gone. */
export async function withStatistics(site: AttackedSite): Promise<Dump> {
  await query(site, 'create table copy as select email_index from users');
  await query(site, 'analyze copy');
  await query(site, 'delete from copy');
  const dump = await dumpNow(site);
  await query(site, 'drop table copy');
  await query(site, 'vacuum full pg_statistic');
  return dump;
}

/** Dumps the database as if each log-in had locked the row of its account. */
export async function withLogInsInAccounts(site: AttackedSite): Promise<Dump> {
  const { keys } = site.server.deps;
  for (const { userId } of site.world.members) {
    await query(
      site,
      `with held as (select id from users where id = $1 for share)
       update sessions set expires_on = expires_on
       where account_key = $2 and exists (select from held)`,
      [userId, keys.sessionIndex('session-account', userId)],
    );
  }
  const dump = await dumpNow(site);
  await rewriteTables(site.server.deps.database.pool);
  return dump;
}

/** Dumps the database with the exact login time in each session. */
export async function withTimesInSessions(site: AttackedSite): Promise<Dump> {
  const { keys } = site.server.deps;
  const key = { id: 's', key: keys.sessionKey('session-seal') };
  const began = new Map(
    site.world.joined.map(({ userId, at }) => [
      dumpedBytes(keys.sessionIndex('session-account', userId)),
      at.getTime(),
    ]),
  );
  const write = (id: string, sealed: Buffer | null) =>
    query(site, 'update sessions set sealed = $2 where id = $1', [id, sealed]);
  const kept = new Map<string, Buffer>();
  for (const { columns } of shuffled(rowsOf(await dumpNow(site), 'sessions'))) {
    const [id, sealed] = [String(columns['id']), bytesOf(columns['sealed'])];
    const startedAt = began.get(String(columns['account_key']));
    if (startedAt === undefined || !sealed) continue;
    kept.set(id, sealed);
    await write(id, seal(key, id, { ...unseal<object>([key], id, sealed), startedAt }));
  }
  const dump = await dumpNow(site);
  for (const [id, sealed] of shuffled(kept)) await write(id, sealed);
  return dump;
}

/**
 * Dumps the database with write limits by network address and with exact expiry times, and with the
 * address and email of each login.
 */
export async function withWritesByAddress(site: AttackedSite): Promise<Dump> {
  const { world, server } = site;
  const { rows: windows } = await query(site, 'select * from rate_limit_salts');
  const [hour, day] = ['hour', 'day'].map((length) =>
    windows.find(({ window_length }) => window_length === length),
  );
  const { rows: reviews } = await query(site, 'select id, created_at from reviews');
  const posted = new Map<string, Date>(reviews.map(({ id, created_at }) => [id, created_at]));
  const people = new Map(world.joined.map(({ userId, person }) => [userId, person]));
  const counters = [...world.authors].flatMap(([id, author]): [Buffer, Date][] => {
    const [person, at] = [people.get(author), posted.get(id)];
    if (!person || !at) return [];
    const prefix = `${person.address}/32`;
    const logIn = { salt: day.salt, name: 'login', prefix, subject: person.email } as const;
    const write = { salt: hour.salt, name: 'reviewWrite', prefix, subject: '' } as const;
    return [
      [counterKey(server.deps.keys, logIn), day.ends_at],
      [counterKey(server.deps.keys, write), new Date(at.getTime() + HOUR_MS)],
    ];
  });
  for (const counter of shuffled(counters)) {
    await query(
      site,
      `insert into rate_limits (key, points, ends_at) values ($1, 1, $2)
       on conflict (key) do nothing`,
      counter,
    );
  }
  const dump = await dumpNow(site);
  const keys = counters.map(([key]) => key);
  await query(site, 'delete from rate_limits where key = any($1)', [keys]);
  return dump;
}

/** Dumps the database with accounts stored in the order they joined. */
export async function withInsertionOrder(site: AttackedSite): Promise<Dump> {
  const order = site.world.joined.map(({ userId }) => userId);
  await query(site, 'create table copy as select * from users');
  await query(
    site,
    `do $$ begin
      alter table users disable trigger all;
      delete from users;
      insert into users select copy.* from copy
        left join unnest('{${order.join()}}'::uuid[]) with ordinality as o (id, place) using (id)
        order by place;
      alter table users enable trigger all;
    end $$`,
  );
  await query(site, 'drop table copy');
  return dumpNow(site);
}

/** Dumps the database as if the rewrite had written the authors of these reviews group by group. */
export async function withTransactionEach(
  site: AttackedSite,
  groups: readonly (readonly string[])[],
): Promise<Dump> {
  for (const ids of groups) {
    await query(site, 'update review_authors set job = job where review_id = any($1)', [ids]);
  }
  return dumpNow(site);
}

/** Dumps the database with each tombstone in the transaction of the reviews left behind. */
export async function withTombstonesAsWritten(site: AttackedSite): Promise<Dump> {
  const { world, server } = site;
  for (const { ids, person } of shuffled(world.departed)) {
    await query(
      site,
      `with marked as (
        update npi_tombstones set kind = kind where npi_index = any ($1::bytea[]))
      update review_authors set job = job where review_id = any ($2::uuid[])`,
      [
        [
          ...server.deps.keys.indexes('npi-tombstone', person.npi),
          ...server.deps.keys.indexes('npi-tombstone-weak', person.npi),
        ],
        ids,
      ],
    );
  }
  return dumpNow(site);
}
