import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { newerMigrations } from '#server/testing/migrations.ts';
import { holdingLock, LOCKS } from './advisory-lock.ts';
import { isMigrated, migrate, pendingMigrations } from './migrate.ts';

/** A database on which a newer release has run its migrations. */
async function newerDatabase(files: Record<string, string>) {
  const { pool } = (await testDatabase()).background;
  await migrate(pool, await newerMigrations(files));
  return pool;
}

test.each(['-- phase: expand', '-- phase: contract after 1.0.0'])(
  'runs on the database of a newer release with "%s", and does not change it',
  async (phase) => {
    const pool = await newerDatabase({ '9999-next.sql': `${phase}\nselect 1` });
    await pool.query("update migrations set checksum = 'newer' where name = 'topic triggers'");
    const rows = async () => (await pool.query('select * from migrations order by name')).rows;
    const before = await rows();
    expect(await migrate(pool)).toEqual([]);
    expect(await rows()).toEqual(before);
  },
);

test.each([
  '-- phase: contract after 1.0.1',
  '-- phase: contract after 1.10.0',
  '-- phase: contract',
  '-- phase: unknown',
  '-- no phase',
])('does not run on the database of a newer release with "%s"', async (phase) => {
  const pool = await newerDatabase({
    '9998-next.sql': '-- phase: expand\nselect 1',
    '9999-next.sql': `${phase}\nselect 1`,
  });
  await expect(migrate(pool)).rejects.toThrow(
    'the database is newer than this program: it has 9999-next.sql',
  );
});

test('does not run on a database that has a newer migration but is missing one of ours', async () => {
  const pool = await newerDatabase({ '9999-next.sql': '-- phase: expand\nselect 1' });
  const sibling = await newerMigrations({ '9990-fix.sql': '-- phase: expand\nselect 1' });
  await expect(migrate(pool, sibling)).rejects.toThrow(
    'the database has 9999-next.sql but not 9990-fix.sql: install a release that has both',
  );
});

test('does not run if an applied migration has changed', async () => {
  const pool = await newerDatabase({});
  const old = await newerMigrations({ '9999-next.sql': 'select 1' });
  await migrate(pool, old);
  const changed = await newerMigrations({ '9999-next.sql': 'select 2' });
  await expect(migrate(pool, changed)).rejects.toThrow(
    'migration 9999-next.sql has been changed since it was applied',
  );
});

test.each(['0001-text.sql', '0003-employers.sql'])(
  'does not change a database from before the first release, which has %s',
  async (name) => {
    const { pool } = (await testDatabase()).background;
    await pool.query('delete from migrations');
    await pool.query("insert into migrations values ($1, 'before'), ('topic triggers', 'x')", [
      name,
    ]);
    const state = async () => {
      const { rows: tables } = await pool.query('select relname, xmin::text from pg_class');
      const { rows } = await pool.query('select *, xmin::text from migrations order by name');
      return { tables, rows };
    };
    const before = await state();
    for (const open of [migrate, pendingMigrations, isMigrated]) {
      await expect(open(pool)).rejects.toThrow(
        /^this database was made by a version before the first release and cannot be updated: set DATA_DIR/,
      );
    }
    expect(await state()).toEqual(before);
  },
);

/** The locks of this database that a session waits for. */
const WAITING = `select locktype, mode from pg_locks
  where not granted and database = (select oid from pg_database where datname = current_database())`;
const ADDS_COLUMN = {
  '9999-next.sql': '-- phase: expand\nalter table reviews add column nights integer',
};

test('reads continue while a migration waits for a transaction that has read the table', async () => {
  const { pool, background } = await testDatabase();
  const folder = await newerMigrations(ADDS_COLUMN);
  const reader = await background.pool.connect();
  await reader.query('begin; select from reviews');
  const migrated = migrate(background.pool, folder);
  for (let tried = 0; tried < 3; tried += 1) {
    const waiting = async () => (await background.pool.query(WAITING)).rows;
    const ours = { locktype: 'relation', mode: 'AccessExclusiveLock' };
    await expect.poll(waiting, { interval: 20 }).toContainEqual(ours);
    expect((await pool.query('select from reviews')).rows).toEqual([]);
  }
  await reader.query('commit');
  reader.release();
  expect(await migrated).toEqual(['9999-next.sql']);
  expect((await pool.query('select nights from reviews')).rows).toEqual([]);
});

test('a migration waits for a backup or the nightly rewrite before it locks tables', async () => {
  const { pool } = (await testDatabase()).background;
  const folder = await newerMigrations(ADDS_COLUMN);
  let migrated: Promise<string[]> | undefined;
  await holdingLock(pool, LOCKS.rewrite, async () => {
    migrated = migrate(pool, folder);
    const waiting = async () => (await pool.query(WAITING)).rows;
    await expect.poll(waiting).toEqual([{ locktype: 'advisory', mode: 'ExclusiveLock' }]);
  });
  expect(await migrated).toEqual(['9999-next.sql']);
});
