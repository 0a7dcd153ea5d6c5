import type { TestApp } from '#server/testing/app.ts';

/** Deletes the accounts of all staff, and the log. The next one added is an office of one. */
export async function emptyOffice({ deps }: Pick<TestApp, 'deps'>): Promise<void> {
  await deps.db.deleteFrom('users').where('is_admin', '=', true).execute();
  await deps.db.deleteFrom('audit_log').execute();
}
