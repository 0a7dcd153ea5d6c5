/**
 * What a verifier may ask a doctor for, and a curator a representative, as the person reads it. No
 * text says whether another account names the NPI or the employer. The keys are stored. No schemas,
 * so that pages can import it.
 */
export const PROOF_REQUESTS = {
  doctor: {
    name: {
      label: 'A corrected name',
      text: 'Your name differs from the one in the NPI registry. Please enter your name as the registry has it, or have the registry corrected, and then check again.',
    },
    registry: {
      label: 'An up-to-date registry entry',
      text: 'The NPI registry does not show that you practice or train as a physician. Please bring your entry there up to date, and then check again.',
    },
    mailbox: {
      label: 'A mailbox at an institution',
      text: 'Please confirm an email address at your hospital, medical school, or state society. If the page about your account does not offer that, check your name and NPI there first.',
    },
    letter: {
      label: 'A letter to the practice address',
      text: 'Please request a letter to the practice address in the NPI registry, and enter the code from it.',
    },
    license: {
      label: 'A link to the license',
      text: 'Please write to us with a public link to your license, such as your entry in your state medical board’s directory.',
    },
  },
  representative: {
    full_name: {
      label: 'The full name',
      text: 'Please enter your full name, as your employer knows you.',
    },
    own_mailbox: {
      label: 'Their own mailbox',
      text: 'Please change the email address of your account to your own at your employer, instead of a shared one.',
    },
    role: {
      label: 'A source for the role',
      text: 'Please write to us with a page of your employer’s website, or another public source, that names you and your title.',
    },
  },
} as const;

const { doctor, representative } = PROOF_REQUESTS;
/** All of them, by key. */
export const PROOF_TEXTS = { ...doctor, ...representative } as const;
export type ProofRequest = keyof typeof PROOF_TEXTS;
export const PROOF_REQUEST_KEYS = Object.keys(PROOF_TEXTS) as [ProofRequest, ...ProofRequest[]];

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
