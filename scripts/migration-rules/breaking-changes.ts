import { parse } from 'libpg-query';
import { compareReleases, phaseOf } from '#server/db/phase.ts';
import type { RELEASES } from '../releases.ts';
import { functionsIn, RowBuilders } from './row-types.ts';
import { errorsOf } from './statements.ts';
import { NewTables } from './syntax.ts';

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

const ACCEPTED = /^-- accepts (\w+): \S/gm;

/**
 * Finds what a migration since the last release would break in that release while both run
 * (docs/operations.md, "Updating"). Returns one line per error. Only checks that function
 * bodies fit the tables. Throws if PostgreSQL could not parse a migration.
 */
export async function breakingChanges(
  migrations: readonly Migration[],
  releases: typeof RELEASES,
): Promise<string[]> {
  const last = releases.at(-1);
  const created = new NewTables();
  const builders = new RowBuilders();
  const lines: string[] = [];
  for (const { name, sql } of migrations) {
    const { stmts = [] } = await parse(sql);
    const statements = stmts.flatMap(({ stmt }) => (stmt ? [stmt] : []));
    if (last && name > last.lastMigration) {
      const accepted = new Set([...sql.matchAll(ACCEPTED)].map(([, accepts = '']) => accepts));
      const context = { created, builders, functions: functionsIn(statements), accepted };
      const errors =
        phaseErrors(sql, releases) ?? statements.flatMap((stmt) => errorsOf(stmt, context));
      lines.push(...errors.map((error) => `${name}: ${error}`));
    }
    builders.add(statements);
  }
  return lines;
}

/** The errors of a migration that is not an expanding one; null for one that is. */
function phaseErrors(sql: string, releases: typeof RELEASES): string[] | null {
  const phase = phaseOf(sql);
  if (!phase) return ['must begin with "-- phase: expand" or "-- phase: contract after RELEASE"'];
  if (phase.kind === 'expand') return null;
  // The release that stopped using what a migration removes must already be released.
  if (releases.some(({ release }) => compareReleases(release, phase.after) === 0)) return [];
  return [`contracts after ${phase.after}, which is not released`];
}
