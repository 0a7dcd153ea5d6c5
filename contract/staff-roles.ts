import * as z from 'zod/mini';

/** What staff members may do (docs/product/office.md), in the order of screens and commands. */
export const ROLES = {
  owner: 'Owner',
  moderator: 'Moderator',
  verifier: 'Verifier',
  curator: 'Curator',
  auditor: 'Auditor',
} as const;
export type Role = keyof typeof ROLES;
export const Role = z.enum(
  Object.keys(ROLES) as [Role, ...Role[]],
  `A role is one of ${Object.keys(ROLES).join(', ')}`,
);

export const ROLE_TASKS: Record<Role, string> = {
  owner: 'appoints staff, and answers legal demands',
  moderator: 'decides about reported reviews',
  verifier: 'verifies doctors, and sees no reports',
  curator: 'maintains employers',
  auditor: 'reads the log, and decides nothing',
};

/** Says that nobody can decide a role's cases. */
export function unstaffedText({ role, cases }: { role: Role; cases: number }): string {
  const count =
    cases === 0 ? 'no cases wait' : cases === 1 ? '1 case waits' : `${cases} cases wait`;
  return `Nobody is a ${ROLES[role].toLowerCase()}: ${count}.`;
}

/** Default roles of the first staff account, and of all later ones. */
export const FIRST_ROLES: readonly Role[] = ['owner', 'moderator', 'curator'];
export const NEXT_ROLES: readonly Role[] = ['moderator', 'curator'];

/** Sorted, and without duplicates. */
export const sortedRoles = (roles: readonly Role[]): Role[] =>
  (Object.keys(ROLES) as Role[]).filter((role) => roles.includes(role));
