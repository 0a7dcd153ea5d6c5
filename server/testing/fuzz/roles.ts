import fc from 'fast-check';
import type { Access } from '#contract/endpoint.ts';

/**
 * The sender of a request. `member` is a doctor, and `officer` a staff member. Only one sequence of
 * requests uses each of them.
 */
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
export type Role = (typeof ROLES)[number] | 'member' | 'officer';

const OF_ONE_SEQUENCE: readonly Role[] = ['member', 'officer'];
const STRANGERS: readonly Role[] = ['signed-out', 'expired', 'garbage'];

/** The roles that each access admits. */
const ADMITS: Readonly<Record<Access, readonly Role[]>> = {
  public: [...ROLES, 'member', 'officer'],
  'signed-in': [
    'pending',
    'readonly',
    'poster',
    'admin',
    'verifier',
    'representative',
    'member',
    'officer',
  ],
  reader: ['pending', 'readonly', 'poster', 'admin', 'verifier', 'member', 'officer'],
  representative: ['representative'],
  verified: ['readonly', 'poster', 'member'],
  poster: ['poster', 'member'],
  staff: ['admin', 'verifier', 'officer'],
  owner: ['admin', 'officer'],
  moderator: ['admin', 'officer'],
  verifier: ['verifier'],
  curator: ['admin', 'officer'],
  auditor: ['admin', 'officer'],
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
  const allowed = ADMITS[access].filter((role) => !OF_ONE_SEQUENCE.includes(role));
  return fc.oneof(
    { arbitrary: fc.constantFrom<Role>(...allowed), weight: 3 },
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
