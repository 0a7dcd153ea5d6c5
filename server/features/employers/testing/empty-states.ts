import { sql } from 'kysely';
import type { TestApp } from '#server/testing/app.ts';

/** The letters of states where no employer is, so that a test finds only its own employers there. */
export async function emptyStates({ deps }: TestApp): Promise<[string, string, string]> {
  const { rows } = await sql<{ state: string }>`
    select chr(first) || chr(second) as state
    from generate_series(65, 90) as first, generate_series(65, 90) as second
    except select state from employers limit 3`.execute(deps.db);
  return rows.map(({ state }) => state) as [string, string, string];
}
