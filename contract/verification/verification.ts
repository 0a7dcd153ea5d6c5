import * as z from 'zod/mini';
import { Email, OtpCode, required } from '../fields.ts';
import { PROOF_REQUEST_KEYS } from './proof-requests.ts';

/**
 * How doctors are verified:
 * - `proof`: the registry matches, and the doctor proves control of something the NPI's owner has;
 * - `registry`: the match is enough;
 * - `manual`: an administrator decides.
 */
export const VERIFICATION_MODES = ['proof', 'registry', 'manual'] as const;
export type VerificationMode = (typeof VERIFICATION_MODES)[number];

/** Proofs that a doctor controls something that belongs to the NPI's owner. */
export const PROOF_KINDS = ['letter', 'mailbox', 'administrator'] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

/** An accepted proof: its kind and its day. The compared values are not stored. */
export const Proof = z.strictObject({ kind: z.enum(PROOF_KINDS), on: z.iso.date() });
export type Proof = z.infer<typeof Proof>;

/** A letter to the practice address in the registry. Only the city is shown. */
export const Letter = z.strictObject({
  city: z.string(),
  requested_on: z.iso.date(),
  /** `waiting`: to be printed. `sent`: the code can be entered until `enter_by`. */
  state: z.enum(['waiting', 'sent', 'expired', 'no_attempts_left']),
  enter_by: z.nullable(z.iso.date()),
  attempts_left: z.int(),
});
export type Letter = z.infer<typeof Letter>;

/** What the account's holder was asked for, while it waits for a decision. */
export const OwnProofRequest = z.strictObject({
  asked: z.enum(PROOF_REQUEST_KEYS),
  asked_on: z.iso.date(),
  /** The holder has done something since. */
  is_answered: z.boolean(),
});
export type OwnProofRequest = z.infer<typeof OwnProofRequest>;

/** `GET /verification/`: the proofs possible now, and those in progress. */
export const VerificationSteps = z.strictObject({
  mode: z.enum(VERIFICATION_MODES),
  letter: z.nullable(Letter),
  /** The first day on which a letter can be requested; null if none can. */
  letter_from: z.nullable(z.iso.date()),
  /** Whether a code was mailed to an institution's mailbox and can still be entered. */
  mailbox_code_waits: z.boolean(),
  asked: z.nullable(OwnProofRequest),
});
export type VerificationSteps = z.infer<typeof VerificationSteps>;

/** In Crockford's Base32, which has no I, L, O, and U (https://www.crockford.com/base32.html). */
export const LETTER_CODE_LENGTH = 10;

/** `POST /verification/letter/confirm/`. Case, spaces, and hyphens do not matter. */
export const LetterCodeRequest = z.strictObject({
  code: required('Please enter the code from the letter').check(
    z.maxLength(40, 'Please enter the code as the letter shows it'),
  ),
});

export const VERIFICATION_MESSAGES = {
  codeMailed: 'We sent a code to this mailbox. Please enter it within 10 minutes.',
} as const;

/** `POST /verification/mailbox/`. The address is not stored. */
export const MailboxRequest = z.strictObject({ email: Email });

/** `POST /verification/mailbox/confirm/`. */
export const MailboxCodeRequest = z.strictObject({ code: OtpCode });
