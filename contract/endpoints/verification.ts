import * as z from 'zod/mini';
import { get, post } from '../endpoint.ts';
import { Message } from '../problem.ts';
import { Doctor } from '../verification/doctors.ts';
import * as verification from '../verification/verification.ts';

/** How doctors are verified: the registry, and the doctor's own proofs. */
export const verificationEndpoints = {
  checkRegistry: post('/verification/check/', 'signed-in', {
    body: z.strictObject({}),
    answers: { 200: Doctor },
    errors: [404],
    rateLimit: 'registryCheck',
  }),
  steps: get('/verification/', 'signed-in', { answers: { 200: verification.VerificationSteps } }),
  orderLetter: post('/verification/letter/', 'signed-in', {
    body: z.strictObject({}),
    answers: { 200: verification.VerificationSteps },
    errors: [409],
    rateLimit: 'letter',
  }),
  confirmLetter: post('/verification/letter/confirm/', 'signed-in', {
    body: verification.LetterCodeRequest,
    answers: { 200: Doctor },
    errors: [404, 409],
    rateLimit: 'letterCode',
  }),
  mailMailboxCode: post('/verification/mailbox/', 'signed-in', {
    body: verification.MailboxRequest,
    answers: { 200: Message },
    errors: [409],
  }),
  confirmMailbox: post('/verification/mailbox/confirm/', 'signed-in', {
    body: verification.MailboxCodeRequest,
    answers: { 200: Doctor },
    errors: [404, 409],
    rateLimit: 'mailboxCode',
  }),
};
