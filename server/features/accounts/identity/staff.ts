import type { Role } from '#contract/staff-roles.ts';
import type { Db } from '#server/db/open.ts';
import { AppError } from '#server/errors/app-error.ts';
import { lockAccounts } from './account-queries.ts';

/**
 * Gives roles to a current or former staff account. Returns its earlier roles; null if it is another
 * kind of account.
 */
export async function appointAccount(
  trx: Db,
  userId: string,
  roles: readonly Role[],
): Promise<Role[] | null> {
  await lockAccounts(trx, [userId]);
  const before = await trx
    .selectFrom('users')
    .select('roles')
    .where('id', '=', userId)
    .executeTakeFirst();
  const { numUpdatedRows } = await changingStaff(() =>
    trx
      .updateTable('users')
      .set({ roles: [...roles], is_admin: true })
      .where('id', '=', userId)
      .where('id', 'not in', (eb) => eb.selectFrom('doctors').select('user_id'))
      .where('id', 'not in', (eb) => eb.selectFrom('representatives').select('user_id'))
      .executeTakeFirstOrThrow(),
  );
  return before && numUpdatedRows > 0n ? (before.roles as Role[]) : null;
}

/** Removes all roles from a staff account. False if it is not one. */
export async function dismissAccount(trx: Db, userId: string): Promise<boolean> {
  await lockAccounts(trx, [userId]);
  const { numUpdatedRows } = await changingStaff(() =>
    trx
      .updateTable('users')
      .set({ roles: [], is_admin: false })
      .where('id', '=', userId)
      .where('is_admin', '=', true)
      .executeTakeFirstOrThrow(),
  );
  return numUpdatedRows > 0n;
}

const REFUSALS = { users_owner: 'last_owner', users_roles_wait: 'role_wait' } as const;

/**
 * Runs a change to staff. Throws `last_owner` if it would leave two or more without an owner, and
 * `role_wait` if someone would switch too soon from knowing doctors to seeing reports, or vice
 * versa.
 */
export async function changingStaff<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const { constraint = '' } = error as { constraint?: string };
    if (!Object.hasOwn(REFUSALS, constraint)) throw error;
    throw new AppError(REFUSALS[constraint as keyof typeof REFUSALS]);
  }
}
