import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './docs/markdown.ts';
import { FEATURES, SHARED_CONTRACT, TABLE_OWNERS, tablesIn } from './features.ts';

const names = Object.keys(FEATURES);
const foldersIn = (where: string) =>
  readdirSync(path.join(ROOT, where), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();

test('a feature has the same name everywhere', () => {
  expect(foldersIn('server/features')).toEqual(names.toSorted());
  expect(foldersIn('contract')).toEqual([...names, ...SHARED_CONTRACT].toSorted());
  const withScreens = names.filter((name) => FEATURES[name]?.web);
  expect(foldersIn('web/features')).toEqual(withScreens.toSorted());
});

/** The tables of other features that a feature's source queries. */
const foreignTables = (feature: string, source: string) =>
  tablesIn(source).filter((table) => TABLE_OWNERS[table as keyof typeof TABLE_OWNERS] !== feature);

describe("no feature queries another feature's tables", () => {
  test.each(names)('%s', (feature) => {
    const cwd = path.join(ROOT, 'server/features', feature);
    const sources = globSync('**/*.ts', { cwd, exclude: ['**/*.test.ts', '**/testing/**'] });
    const violations = sources.flatMap((file) => {
      const foreign = foreignTables(feature, readFileSync(path.join(cwd, file), 'utf8'));
      return foreign.length > 0 ? [`${file}: ${foreign.join(', ')}`] : [];
    });
    expect(sources.length).toBeGreaterThan(0);
    expect(violations).toEqual([]);
  });

  test.each([
    ["db.selectFrom('users').select('id')", 'users'],
    ["db\n  .updateTable('users')\n  .set(change)", 'users'],
    ["db.selectFrom('reviews').leftJoin('doctors', 'doctors.user_id', 'id')", 'doctors'],
    ["db.selectFrom(['reviews', 'sessions'])", 'sessions'],
    ['sql`select id from users where is_admin`', 'users'],
    ['sql`insert into public.users (id) values (1)`', 'public.users'],
    ['sql`lock table reviews, employers in share mode`', 'employers'],
    ["const OF = { deed: 'letters' };\nremoveAll(sql.table(OF.deed));", 'letters'],
  ])('finds the planted %j', (source, table) => {
    expect(foreignTables('reviews', source)).toEqual([table.replace('public.', '')]);
  });

  test('does not mistake comments or topics for tables', () => {
    const source = `/** Reads from users, and never from sessions. */
      // update employers
      cache.changed(['reviews', 'employers']);
      sql\`select 1 -- from letters
      \``;
    expect(tablesIn(source)).toEqual([]);
  });
});
