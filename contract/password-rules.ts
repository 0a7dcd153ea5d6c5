import { PASSWORD_MIN } from './limits.ts';

/** Separate rules, so that a form can show which ones are met. `needs` is their short name there. */
export const PASSWORD_RULES = [
  {
    pattern: /^.{8,}$/su,
    needs: `${PASSWORD_MIN} characters`,
    message: `Password must be at least ${PASSWORD_MIN} characters`,
  },
  {
    pattern: /\p{Lu}/u,
    needs: 'uppercase',
    message: 'Password must contain at least one uppercase letter',
  },
  {
    pattern: /\p{Ll}/u,
    needs: 'lowercase',
    message: 'Password must contain at least one lowercase letter',
  },
  { pattern: /\p{Nd}/u, needs: 'number', message: 'Password must contain at least one number' },
  {
    pattern: /[^\p{L}\p{Nd}\s]/u,
    needs: 'symbol',
    message: 'Password must contain at least one special character',
  },
] as const;

const [LENGTH_RULE, ...CHARACTER_RULES] = PASSWORD_RULES;

/** The reset form has its own text for a password that is too short. */
export const RESET_PASSWORD_RULES = [
  { ...LENGTH_RULE, message: `Password must be at least ${PASSWORD_MIN} characters long.` },
  ...CHARACTER_RULES,
] as const;
