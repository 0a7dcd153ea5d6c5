import { CASE_KIND_KEYS, CASE_ROLES } from '#contract/cases.ts';
import type { StaffAct } from '#contract/office/logged-acts.ts';
import type { StaffList, StaffMember } from '#contract/office/staff.ts';
import { type Role, sortedRoles } from '#contract/staff-roles.ts';
import { recordAct } from '#server/audit-log.ts';
import { countByKind } from '#server/cases/queue.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { findFormerStaff, findStaff } from '#server/features/accounts/identity/profiles.ts';
import { appointAccount, dismissAccount } from '#server/features/accounts/identity/staff.ts';
import { dropDigest, emptyRoles } from '../digest.ts';
import { factors, selectFactorOwners } from '../factor/factor.ts';
import { mailStaffChange } from '../staff-names.ts';

type StaffDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;
type ChangeDeps = StaffDeps & Pick<Deps, 'jobs'>;

/** The actor: `cli`, or the id of the owner's account. */
interface Act {
  readonly actor: string;
  readonly userId: string;
}

/** All current and former staff members by name, and the roles that nobody has. */
export async function listStaff({ db, keys }: StaffDeps): Promise<StaffList> {
  const [owners, counts, staff, former] = await Promise.all([
    selectFactorOwners(db),
    countByKind(db),
    findStaff(keys, db),
    findFormerStaff(keys, db),
  ]);
  const toMembers = (accounts: typeof staff): StaffMember[] =>
    accounts
      .map(({ id, email, first_name, last_name, roles }) => ({
        id,
        email,
        first_name,
        last_name,
        roles: sortedRoles(roles),
        has_factor: owners.includes(id),
      }))
      .toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return {
    results: toMembers(staff),
    former: toMembers(former),
    unstaffed: unstaffedAmong(staff, counts),
  };
}

const nameOf = ({ last_name, first_name, id }: StaffMember) =>
  [last_name, first_name, id].join('\n').toLowerCase();

/** The empty roles, with the number of cases that only they can decide. */
function unstaffedAmong(
  staff: readonly { roles: readonly Role[] }[],
  counts: ReadonlyMap<string, number>,
): StaffList['unstaffed'] {
  return emptyRoles(staff).map((role) => {
    const kinds = CASE_KIND_KEYS.filter((kind) => CASE_ROLES[kind] === role);
    return { role, cases: kinds.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0) };
  });
}

/**
 * Gives a staff member other roles, or a former one roles again. Throws `not_found`, `last_owner`,
 * `role_wait`, and `own_roles` for the caller's own roles while there is another owner.
 */
export function appoint(deps: ChangeDeps, act: Act, roles: readonly Role[]): Promise<void> {
  const { actor, userId } = act;
  const appointed = sortedRoles(roles);
  const logged = { action: 'staff.appoint', roles: appointed.join(',') } as const;
  return change(deps, act, logged, async (trx) => {
    const before = await appointAccount(trx, userId, appointed);
    if (actor === userId && (await hasOtherOwner(deps, trx, userId))) {
      throw new AppError('own_roles');
    }
    if (before && sortedRoles(before).join() !== appointed.join()) {
      await mailStaffChange(deps, trx, userId, { roles: appointed });
    }
    return before !== null;
  });
}

const hasOtherOwner = async ({ keys }: StaffDeps, trx: Db, userId: string) =>
  (await findStaff(keys, trx)).some(({ id, roles }) => id !== userId && roles.includes('owner'));

/**
 * Removes all roles and the second factor from a staff member, who keeps the account. Throws
 * `not_found`, and `last_owner` even for the only member.
 */
export function dismiss(deps: ChangeDeps, act: Act): Promise<void> {
  return change(deps, act, { action: 'staff.dismiss' }, async (trx) => {
    const wasStaff = await dismissAccount(trx, act.userId);
    if (wasStaff && (await findStaff(deps.keys, trx)).length === 0)
      throw new AppError('last_owner');
    await factors.remove(trx, act.userId);
    await dropDigest(trx, act.userId);
    if (wasStaff) await mailStaffChange(deps, trx, act.userId, { roles: [] });
    return wasStaff;
  });
}

/** Removes the second factor of a staff member who has lost it. Throws `not_found`. */
export function resetFactor(deps: ChangeDeps, act: Act): Promise<void> {
  return change(deps, act, { action: 'staff.reset-factor' }, async (trx) => {
    const staff = await findStaff(deps.keys, trx);
    const hadFactor = await factors.remove(trx, act.userId);
    if (hadFactor) await mailStaffChange(deps, trx, act.userId, { factor: 'reset' });
    return staff.some(({ id }) => id === act.userId);
  });
}

/** Makes a change and records it. `make` returns false if it is not a staff account. */
async function change(
  { db, clock }: StaffDeps,
  { actor, userId }: Act,
  { action, ...details }: { action: StaffAct; roles?: string },
  make: (trx: Db) => Promise<boolean>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (!(await make(trx))) throw new AppError('not_found');
    await recordAct(trx, clock, { actor, action, subject: userId, details });
  });
}
