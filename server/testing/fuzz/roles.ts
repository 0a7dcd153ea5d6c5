import fc from 'fast-check';
import type { Access } from '#contract/endpoint.ts';

const DOCTORS = ['pending', 'readonly', 'poster'] as const;
const STAFF = ['admin', 'verifier'] as const;
export const SIGNED_IN = [...DOCTORS, ...STAFF, 'representative'] as const;
const STRANGERS = ['signed-out', 'expired', 'garbage'] as const;

/** The sender of a request. */
export const ROLES = [...STRANGERS, ...SIGNED_IN] as const;
export type Role = (typeof ROLES)[number];

/** The roles that each access admits. */
const ADMITS: Readonly<Record<Access, readonly Role[]>> = {
  public: ROLES,
  'signed-in': SIGNED_IN,
  reader: [...DOCTORS, ...STAFF],
  representative: ['representative'],
  verified: ['readonly', 'poster'],
  poster: ['poster'],
  staff: STAFF,
  owner: ['admin'],
  moderator: ['admin'],
  verifier: ['verifier'],
  curator: ['admin'],
  auditor: ['admin'],
};

/**
 * The statuses that may reject a role, or null if the role has access. An account may have been
 * deleted in the meantime; its role is then a stranger's.
 */
export function refusalsFor(role: Role, access: Access): readonly number[] | null {
  if (ADMITS[access].includes(role)) return null;
  return STRANGERS.some((stranger) => stranger === role) ? [401] : [401, 403];
}

/** Mostly roles with access, since other requests never reach the handler. */
export const rolesFor = (access: Access): fc.Arbitrary<Role> =>
  fc.oneof(
    { arbitrary: fc.constantFrom<Role>(...ADMITS[access]), weight: 3 },
    { arbitrary: fc.constantFrom<Role>(...ROLES), weight: 2 },
  );
