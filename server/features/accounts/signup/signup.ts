import type { LoginResponse, SignupDetails } from '#contract/accounts.ts';
import { hasValidCheckDigit } from '#contract/doctors.ts';
import { OTP_TTL_MS } from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import type { MailJob } from '#server/mail/render.ts';
import { isHeld } from '../email-change/undo-links.ts';
import { findAccount, findAccountByEmail } from '../identity/account-queries.ts';
import { emailIndexes } from '../identity/identity.ts';
import { toOwnProfile } from '../identity/profile.ts';
import { hashPassword, refuseCommonPassword } from '../password/passwords.ts';
import { beginSession } from '../session/sessions.ts';
import { deleteCodes, takeCode } from './code-queries.ts';
import { insertDoctor } from './new-account.ts';
import { detailsKeyOf, issueCode, type RightCode, reissueCode } from './one-time-codes.ts';

const MINUTE_MS = 60_000;

/** What the schema cannot tell: a mistyped NPI, and a password that is too common. */
export function checkDetails({ npi, password }: Pick<SignupDetails, 'npi' | 'password'>): void {
  if (!hasValidCheckDigit(npi)) {
    const fields = { npi: ['Please enter a valid NPI number'] };
    throw new AppError('validation_error', { fields });
  }
  refuseCommonPassword('password', password);
}

/** First step of signing up. Stores a code for the details and nothing else. */
export async function sendCode(deps: Deps, details: SignupDetails): Promise<void> {
  const detailsKey = await detailsKeyOf(deps.keys, details);
  await mailCode(deps, details.email, (trx) => issueCode(deps, trx, details.email, detailsKey));
}

/** Sends a new code to an address. It is good for every sign-up that waits there. */
export function sendCodeAgain(deps: Deps, email: string): Promise<void> {
  return mailCode(deps, email, (trx) => reissueCode(deps, trx, email));
}

/**
 * Mails a code to an address. Whether it has an account already, or no sign-up waits there, is told
 * to its mailbox alone: the answer, and the work done for it, are the same.
 */
async function mailCode(
  deps: Deps,
  to: string,
  makeCode: (trx: Db) => Promise<string | null>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const account = await findAccountByEmail(trx, emailIndexes(deps.keys, to));
    // Asked in any case: all addresses take as long.
    const isFormer = await isHeld(deps, trx, to);
    const taken = account ? 'email' : isFormer ? 'former-email' : null;
    await deps.jobs.enqueue(trx, 'send-mail', mailOf(to, taken, await makeCode(trx)));
  });
}

function mailOf(to: string, taken: 'email' | 'former-email' | null, code: string | null): MailJob {
  if (taken) return { to, template: 'signup-attempted', props: { what: taken } };
  if (code === null) return { to, template: 'signup-over', props: {} };
  return { to, template: 'signup-code', props: { code, minutes: OTP_TTL_MS / MINUTE_MS } };
}

/**
 * Second step: the code has proven the mailbox, and only now is there an account. A taken e-mail
 * address answers as a wrong code does. Whether others name the NPI is not looked at: it would tell
 * who is a member. Throws `invalid_code`.
 */
export async function createAccount(
  deps: Deps,
  details: SignupDetails,
  code: RightCode,
): Promise<LoginResponse> {
  const password = await hashPassword(details.password);
  const created = await inTransaction(deps.db, async (trx) => {
    if (!(await takeCode(trx, code.detailsKey, code.sealed))) return null;
    const userId = await insertDoctor(deps, trx, details, password);
    if (!userId) return null;
    await deleteCodes(trx, code.addressKey);
    await deps.jobs.enqueue(trx, 'verify-npi', { userId });
    const tokens = await beginSession(deps, trx, userId);
    const row = await findAccount(trx, userId);
    return row ? { ...tokens, ...(await toOwnProfile(deps, trx, row)) } : null;
  });
  if (!created) throw new AppError('invalid_code');
  return created;
}
