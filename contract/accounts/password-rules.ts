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
