/**
 * Why an administrator does not verify an account, as its doctor reads it. No text says whether
 * another account names the NPI. No schemas, so that pages can import it.
 */
export const REFUSALS = {
  unproven: 'We could not confirm that the NPI on your account is yours.',
  name: 'The name on your account does not match the name in the registry for your NPI.',
  physician:
    'The registry does not list your NPI as that of a physician, or of a physician in training.',
  inactive: 'The registry lists your NPI as deactivated.',
  terms: 'Your account was used in a way that our Terms of Use do not allow.',
} as const;
export type Refusal = keyof typeof REFUSALS;
export const REFUSAL_KEYS = Object.keys(REFUSALS) as [Refusal, ...Refusal[]];

/** Used if a decision names none. */
export const DEFAULT_REFUSAL: Refusal = 'unproven';
