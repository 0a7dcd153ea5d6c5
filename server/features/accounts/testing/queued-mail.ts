import type { Site } from '#server/testing/site.ts';

/** The ids of the jobs that will mail something later. */
export async function queuedMail({ deps, jobs }: Pick<Site, 'deps' | 'jobs'>): Promise<string[]> {
  await jobs.idle();
  const { rows } = await deps.database.pool.query<{ id: string }>(
    "select id from pgboss.job where name in ('send-mail', 'password-reset') order by id",
  );
  return rows.map(({ id }) => id);
}
