import * as z from 'zod/mini';
import { presentPassword, WRONG_PASSWORD } from '../accounts/accounts.ts';
import { Role } from '../staff-roles.ts';

export const STAFF_MESSAGES = {
  noRole: 'Choose at least one role',
  apart: 'Nobody can be both a verifier and a moderator',
  removed: 'The account is no longer one of staff.',
  factorReset: 'The second factor has been reset.',
  factorRemoved: 'The second factor has been removed.',
  entered: 'The code is right.',
  guessed:
    'Too many wrong codes for your account today. Enter a recovery code, and change your password if it was not you.',
} as const;

/** Nobody has both: a verifier sees no reports about reviews. */
export const Roles = z.array(Role).check(
  z.minLength(1, STAFF_MESSAGES.noRole),
  z.refine(
    (roles) => !(roles.includes('verifier') && roles.includes('moderator')),
    STAFF_MESSAGES.apart,
  ),
);

export const StaffMember = z.strictObject({
  id: z.uuid(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  /** As appointed. In an office of one, every role counts. */
  roles: z.array(Role),
  has_factor: z.boolean(),
});
export type StaffMember = z.infer<typeof StaffMember>;

export const StaffList = z.strictObject({
  results: z.array(StaffMember),
  /** Accounts that have been removed from staff, and can be appointed again. */
  former: z.array(StaffMember),
  /** Roles that nobody has, with the number of cases that only they can decide. */
  unstaffed: z.array(z.strictObject({ role: Role, cases: z.int() })),
});
export type StaffList = z.infer<typeof StaffList>;

export const AppointmentRequest = z.strictObject({ roles: Roles });

/** A code from an authenticator app, or a recovery code. */
export const FactorCode = z
  .string('Code is required')
  .check(z.trim(), z.minLength(1, 'Code is required'), z.maxLength(40, 'The code is too long'));

export const FactorCodeRequest = z.strictObject({ code: FactorCode });

/** Wrong codes since the last correct one, entered by anyone. */
export const WrongCodes = z.strictObject({
  count: z.int(),
  last_on: z.iso.date(),
});
export type WrongCodes = z.infer<typeof WrongCodes>;

export const FactorEntry = z.strictObject({
  message: z.string(),
  wrong_codes: z.nullable(WrongCodes),
});

export const FactorStatus = z.strictObject({
  is_set_up: z.boolean(),
  /** Without a factor, the office cannot be opened. */
  is_required: z.boolean(),
  recovery_codes_left: z.int(),
  wrong_codes: z.nullable(WrongCodes),
});
export type FactorStatus = z.infer<typeof FactorStatus>;

/** Whether the caller gets the daily mail about what waits in the office. */
export const DigestSetting = z.strictObject({ is_on: z.boolean() });

export const FactorSetupRequest = z.strictObject({
  /** Required unless the login is fresh. */
  password: z.optional(presentPassword(WRONG_PASSWORD)),
});

export const FactorSetup = z.strictObject({
  /** In base32, for typing. */
  secret: z.string(),
  /** The same as a URI for an authenticator app's QR code. */
  uri: z.string(),
  /** Confirms the secret together with the first code. */
  setup: z.string(),
});
export type FactorSetup = z.infer<typeof FactorSetup>;

export const FactorConfirmRequest = z.strictObject({
  setup: z.string().check(z.minLength(1), z.maxLength(1000)),
  code: FactorCode,
});

/** Shown once. */
export const FactorRecoveryCodes = z.strictObject({ recovery_codes: z.array(z.string()) });
export type FactorRecoveryCodes = z.infer<typeof FactorRecoveryCodes>;
