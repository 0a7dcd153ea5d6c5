import { PASSWORD_MIN } from '../limits.ts';

/** Separate rules, so that a form can show which ones are met, as `text`. */
export const PASSWORD_RULES = [
  {
    text: `${PASSWORD_MIN} characters`,
    pattern: /^.{8,}$/su,
    message: `Password must be at least ${PASSWORD_MIN} characters`,
  },
  {
    text: 'uppercase',
    pattern: /\p{Lu}/u,
    message: 'Password must contain at least one uppercase letter',
  },
  {
    text: 'lowercase',
    pattern: /\p{Ll}/u,
    message: 'Password must contain at least one lowercase letter',
  },
  { text: 'number', pattern: /\p{Nd}/u, message: 'Password must contain at least one number' },
  {
    text: 'symbol',
    pattern: /[^\p{L}\p{Nd}\s]/u,
    message: 'Password must contain at least one special character',
  },
] as const;

const [LENGTH_RULE, ...CHARACTER_RULES] = PASSWORD_RULES;

/** The reset form has its own text for a password that is too short. */
export const RESET_PASSWORD_RULES = [
  { ...LENGTH_RULE, message: `Password must be at least ${PASSWORD_MIN} characters long.` },
  ...CHARACTER_RULES,
] as const;

/** Removes what is pasted along with an NPI: spaces, hyphens, and invisible characters. */
export const cleanNpi = (text: string) => text.replace(/[\s\p{Pd}\p{Cf}]/gu, '');

export const ACCOUNT_MESSAGES = {
  codeSent: 'Verification code sent to your email address',
  codeResent: 'New verification code sent to your email',
  signedUp: 'Your account has been created.',
  signedOut: 'Signed out.',
  resetSent: 'Password reset email sent! Check your inbox.',
  resetLinkValid: 'This password reset link is valid.',
  passwordReset: 'Password reset successfully! You can now login with your new password.',
  passwordChanged:
    'Your password has been changed. You stay signed in here; all other sessions have been signed out.',
  emailChanged: 'Your email address has been changed.',
  emailChangeStopped: 'The change has been stopped. Your email address stays as it is.',
  emailChangeUndone: 'The change has been undone. Your previous email address is in use again.',
  accountDeleted: 'Your account has been deleted.',
} as const;
