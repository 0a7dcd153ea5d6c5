import fc from 'fast-check';
import type { Access } from '#contract/endpoint.ts';

/** The sender of a request. */
export const ROLES = [
  'signed-out',
  'expired',
  'garbage',
  'pending',
  'readonly',
  'poster',
  'admin',
  'verifier',
  'representative',
] as const;
export type Role = (typeof ROLES)[number];

const STRANGERS: readonly Role[] = ['signed-out', 'expired', 'garbage'];

/** The roles that each access admits. */
const ADMITS: Readonly<Record<Access, readonly Role[]>> = {
  public: ROLES,
  'signed-in': ['pending', 'readonly', 'poster', 'admin', 'verifier', 'representative'],
  reader: ['pending', 'readonly', 'poster', 'admin', 'verifier'],
  representative: ['representative'],
  verified: ['readonly', 'poster'],
  poster: ['poster'],
  staff: ['admin', 'verifier'],
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
  return STRANGERS.includes(role) ? [401] : [401, 403];
}

/** Mostly roles with access, since other requests never reach the handler. */
export function rolesFor(access: Access): fc.Arbitrary<Role> {
  return fc.oneof(
    { arbitrary: fc.constantFrom<Role>(...ADMITS[access]), weight: 3 },
    { arbitrary: fc.constantFrom<Role>(...ROLES), weight: 2 },
  );
}

/** `Authorization` values that authenticate nobody. */
export const GARBAGE_TOKENS = [
  'Bearer',
  'Bearer x.y.z',
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIiwic2lkIjoiMSIsImlzcyI6ImN1cmJzaWRlIn0.',
  `Bearer ${'a'.repeat(5000)}`,
  'Bearer a.b.c, Bearer d.e.f',
  'Basic YTpi',
  'bearer \u00e9.\u00e9.\u00e9',
];
