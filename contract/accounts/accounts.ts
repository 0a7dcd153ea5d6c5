import * as z from 'zod/mini';
import { ERRORS } from '../errors.ts';
import { atMost, Email, OtpCode, oneLine, required } from '../fields.ts';
import { NAME_MAX, NPI_DIGITS, PASSWORD_MAX } from '../limits.ts';
import { Message } from '../problem.ts';
import { Role } from '../staff-roles.ts';
import { Doctor } from '../verification/doctors.ts';
import { cleanNpi, PASSWORD_RULES, RESET_PASSWORD_RULES } from './account-rules.ts';
import { RecoveryCode } from './recovery-code.ts';

export const User = z.strictObject({
  id: z.uuid(),
  email: z.string(),
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  /** The new address, until the link sent to it is confirmed. */
  pending_email: z.nullable(z.string()),
  /** A staff member. Staff never see who wrote a review. */
  is_admin: z.boolean(),
  /** Represents an employer. The account is not a doctor's. */
  is_representative: z.boolean(),
  /** What a staff member may do. In an office of one: everything. */
  roles: z.array(Role),
});
export type User = z.infer<typeof User>;

const name = (message: string) => required(message).check(atMost(NAME_MAX), oneLine);
const TITLES = /^((dr|prof)(\.|\s|$)\s*)+/i;

/** Without titles, because every page writes 'Dr.' before a doctor's name. */
export const FirstName = name('First name is required').check(
  z.overwrite((text) => text.replace(TITLES, '')),
  z.minLength(1, 'First name is required'),
);
export const LastName = name('Last name is required');

export const Npi = z
  .string('NPI Number is required')
  .check(
    z.overwrite(cleanNpi),
    z.minLength(1, { error: 'NPI Number is required', abort: true }),
    z.regex(new RegExp(`^\\d{${NPI_DIGITS}}$`), 'NPI must be exactly 10 digits'),
  );

const newPassword = (rules: readonly { readonly pattern: RegExp; readonly message: string }[]) =>
  z
    .string('Password is required')
    .check(
      z.minLength(1, { error: 'Password is required', abort: true }),
      z.maxLength(PASSWORD_MAX - 1, `Password must be under ${PASSWORD_MAX} characters`),
      ...rules.map((rule) => z.regex(rule.pattern, rule.message)),
    );

export const NewPassword = newPassword(PASSWORD_RULES);
export const ResetPassword = newPassword(RESET_PASSWORD_RULES);

/** Only the server knows the common passwords. */
export const COMMON_PASSWORD = 'This password is too common. Please choose another.';
export const WRONG_PASSWORD = 'Incorrect password.';
/** For every form that repeats a new password except the sign-up form, which has its own text. */
export const PASSWORDS_DIFFER = 'Passwords do not match.';

/** The current password, which proves that the caller holds the account. */
export const presentPassword = (tooLong: string) =>
  z
    .string('Password is required')
    .check(z.minLength(1, 'Password is required'), z.maxLength(PASSWORD_MAX, tooLong));

export const LoginRequest = z.strictObject({
  email: Email,
  password: presentPassword(ERRORS.invalid_credentials.text),
});
export type LoginRequest = z.infer<typeof LoginRequest>;

const signupDetails = {
  email: Email,
  first_name: FirstName,
  last_name: LastName,
  npi: Npi,
  password: NewPassword,
};
export const SignupDetails = z.strictObject(signupDetails);
export type SignupDetails = z.infer<typeof SignupDetails>;

export const RegisterRequest = z.discriminatedUnion(
  'action',
  [
    z.strictObject({ action: z.literal('create_account'), ...signupDetails }),
    z.strictObject({ action: z.literal('verify_otp'), ...signupDetails, otp_code: OtpCode }),
    z.strictObject({ action: z.literal('resend_otp'), email: Email }),
  ],
  "Action must be 'create_account', 'verify_otp' or 'resend_otp'",
);
export type RegisterRequest = z.infer<typeof RegisterRequest>;

export const Tokens = z.strictObject({ access: z.string(), refresh: z.string() });
export type Tokens = z.infer<typeof Tokens>;

export const LoginResponse = z.strictObject({
  ...Tokens.shape,
  user: User,
  doctor: z.nullable(Doctor),
});
export type LoginResponse = z.infer<typeof LoginResponse>;

/** `create_account` and `resend_otp` return only a message. `verify_otp` also logs in. */
export const RegisterResponse = z.union([
  z.strictObject({ message: z.string(), ...LoginResponse.shape }),
  Message,
]);
export type RegisterResponse = z.infer<typeof RegisterResponse>;

export const RefreshRequest = z.strictObject({
  refresh: z
    .string('Refresh token is required')
    .check(
      z.minLength(1, 'Refresh token is required'),
      z.maxLength(1000, ERRORS.session_expired.text),
    ),
});

export const ForgotPasswordRequest = z.strictObject({ email: Email });

const linkPart = (message: string) =>
  z.string(message).check(z.minLength(1, message), z.maxLength(100, message));

/** The parameters of the link in a reset mail. */
const resetLink = {
  token: linkPart(ERRORS.invalid_reset_link.text),
  uidb64: linkPart(ERRORS.invalid_reset_link.text),
};
export const ResetLink = z.strictObject(resetLink);
export type ResetLink = z.infer<typeof ResetLink>;

/**
 * To keep locked reviews, send the recovery code, or the access token of a browser that is still
 * signed in.
 */
export const ResetConfirmRequest = z.strictObject({
  ...resetLink,
  new_password: ResetPassword,
  recovery_code: z.optional(RecoveryCode),
});
export type ResetConfirmRequest = z.infer<typeof ResetConfirmRequest>;

export const PasswordChangeRequest = z.strictObject({
  current_password: presentPassword(WRONG_PASSWORD),
  new_password: NewPassword,
});
export type PasswordChangeRequest = z.infer<typeof PasswordChangeRequest>;

/** `PATCH /users/{id}/`. Names change immediately, the address once its mailbox is confirmed. */
export const ProfileUpdateRequest = z.strictObject({
  email: z.optional(Email),
  first_name: z.optional(FirstName),
  last_name: z.optional(LastName),
  /** Required for a new address unless the login is fresh. Checked whenever it is given. */
  password: z.optional(presentPassword(WRONG_PASSWORD)),
});
export type ProfileUpdateRequest = z.infer<typeof ProfileUpdateRequest>;

/** The parameters of a link in an email about a change of address. */
export const EmailLinkRequest = z.strictObject({
  token: linkPart(ERRORS.invalid_email_link.text),
});

export const ReviewLock = z.strictObject({
  /** The caller's reviews are keyed by a secret that the server does not store. */
  locked: z.boolean(),
  /** The caller may lock reviews: a verified doctor, by proof if proofs are required. */
  can_lock: z.boolean(),
});
export type ReviewLock = z.infer<typeof ReviewLock>;

const password = presentPassword(WRONG_PASSWORD);

/**
 * `POST /auth/reviews/lock/`. The browser generates the code, shows it, and sends what the user
 * typed back from paper. If the reviews are already locked, this replaces the code.
 */
export const LockRequest = z.strictObject({ password, recovery_code: RecoveryCode });
export type LockRequest = z.infer<typeof LockRequest>;

/** `POST /auth/reviews/unlock/`. */
export const UnlockRequest = z.strictObject({ password });
export type UnlockRequest = z.infer<typeof UnlockRequest>;

/** Ends every session; these tokens start a new one. */
export const LockResponse = z.strictObject({ ...Tokens.shape, message: z.string() });
export type LockResponse = z.infer<typeof LockResponse>;

export const LOCK_MESSAGES = {
  locked: 'Your reviews are locked. All other sessions have been signed out.',
  codeReplaced: 'Your new recovery code is in use. All other sessions have been signed out.',
  unlocked: 'Your reviews are unlocked. All other sessions have been signed out.',
} as const;
