import { CompiledQuery, type KyselyPlugin } from 'kysely';
import type { Db } from '#server/db/open.ts';

/** How PostgreSQL runs each statement of `work`, with its actual values. */
export async function plansOf(db: Db, work: (db: Db) => Promise<unknown>): Promise<string[]> {
  const asked: CompiledQuery[] = [];
  const keep: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      asked.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(db.withPlugin(keep));
  const plans: string[] = [];
  for (const { sql, parameters } of asked) {
    const explain = CompiledQuery.raw(`explain ${sql}`, [...parameters]);
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(explain);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
  return plans;
}
