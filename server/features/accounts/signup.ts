import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { LoginResponse, SignupDetails } from '#contract/accounts.ts';
import { hasValidCheckDigit } from '#contract/doctors.ts';
import { OTP_ATTEMPTS, OTP_DIGITS, OTP_TTL_MS } from '#contract/limits.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import { seal, unseal } from '#server/anonymity/seal.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
import type { DB } from '#server/db/types.ts';
import type { Deps } from '#server/deps.ts';
import * as queries from './account-queries.ts';
import { emailIndex, npiIndex, openIdentity, sealIdentity } from './identity.ts';
import { hashPassword } from './passwords.ts';
import { toProfile } from './profile.ts';
import { beginSession } from './sessions.ts';

interface SealedCode {
  hash: string;
  expiresAt: number;
}

/** A code is short: its hash is keyed, so that a dump cannot be searched for it. */
const codeHash = ({ keys }: Pick<Deps, 'keys'>, email: string, code: string) =>
  keys.index('one-time-code', `${email.toLowerCase()}/${code}`);

const addressKey = ({ keys }: Pick<Deps, 'keys'>, email: string) =>
  keys.index('one-time-code', email.toLowerCase());

const sealingKey = ({ keys }: Pick<Deps, 'keys'>) => {
  const [current] = keys.sealing;
  if (!current) throw new Error('no sealing key');
  return current;
};

/**
 * First step of signing up, and of sending the code again. Stores a code for the address and
 * nothing else. Whether the address has an account already is told to its mailbox alone: the
 * answer, and the work done for it, are the same.
 */
export async function sendCode(deps: Deps, email: string): Promise<void> {
  const code = String(randomInt(10 ** OTP_DIGITS)).padStart(OTP_DIGITS, '0');
  const sealed: SealedCode = {
    hash: codeHash(deps, email, code).toString('base64'),
    expiresAt: deps.clock().getTime() + OTP_TTL_MS,
  };
  await deps.db.transaction().execute(async (db) => {
    const account = await queries.findAccountByEmail(db, emailIndex(deps.keys, email));
    await queries.putCode(db, addressKey(deps, email), seal(sealingKey(deps), 'code', sealed));
    await deps.jobs.enqueue(
      db,
      'send-mail',
      account
        ? { to: email, template: 'signup-attempted', props: { what: 'email' } }
        : { to: email, template: 'signup-code', props: { code, minutes: OTP_TTL_MS / 60_000 } },
    );
  });
}

/** An NPI whose check digit is wrong was mistyped: no account can have it. */
export function checkNpi(npi: string): void {
  if (hasValidCheckDigit(npi)) return;
  throw new AppError('validation_error', { fields: { npi: ['Please enter a valid NPI number'] } });
}

/**
 * Second step: the code proves the mailbox, and only now is there an account. A taken e-mail
 * address or NPI answers as a wrong code does. Throws `invalid_code`.
 */
export async function createAccount(
  deps: Deps,
  details: SignupDetails,
  code: string,
): Promise<LoginResponse> {
  const usedCode = await checkCode(deps, details.email, code);
  const passwordHash = await hashPassword(details.password);
  const created = await deps.db.transaction().execute(async (db) => {
    if (!(await queries.takeCode(db, addressKey(deps, details.email), usedCode))) return null;
    const userId = await insertDoctor(deps, db, details, passwordHash);
    if (!userId) return null;
    await deps.jobs.enqueue(db, 'verify-npi', { userId });
    const tokens = await beginSession(deps, db, userId);
    const row = await queries.findAccount(db, userId);
    return row ? { ...tokens, ...toProfile(deps.keys, row) } : null;
  });
  if (created) return created;
  await tellOwnerOfNpi(deps, details.npi);
  throw new AppError('invalid_code');
}

async function checkCode(deps: Deps, email: string, code: string): Promise<Buffer> {
  const sealed = await queries.attemptCode(deps.db, addressKey(deps, email), OTP_ATTEMPTS);
  if (!sealed) throw new AppError('invalid_code');
  const stored = unseal<SealedCode>(deps.keys.sealing, 'code', sealed);
  const isRight = timingSafeEqual(Buffer.from(stored.hash, 'base64'), codeHash(deps, email, code));
  if (!isRight || deps.clock().getTime() > stored.expiresAt) throw new AppError('invalid_code');
  return sealed;
}

/** Adds an account with a doctor profile that waits for verification; null when one is taken. */
export async function insertDoctor(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  db: Db,
  details: Omit<SignupDetails, 'password'>,
  passwordHash: string,
  profile: Omit<Insertable<DB['doctors']>, 'user_id'> = {},
): Promise<string | null> {
  const id = randomUUID();
  const { email, first_name, last_name, npi } = details;
  const inserted = await queries.insertAccount(
    db,
    {
      id,
      sealed: sealIdentity(keys, id, {
        email,
        first_name,
        last_name,
        npi,
        username: newUsername(),
        joined_on: toDay(clock()),
      }),
      email_index: emailIndex(keys, email),
      npi_index: npiIndex(keys, npi),
      password_hash: passwordHash,
    },
    profile,
  );
  return inserted ? id : null;
}

/** Says nothing about its holder, and is never shown to anyone else. */
export function newUsername(): string {
  return `dr-${randomUUID().slice(0, 8)}`;
}

/** Someone who holds another mailbox tried to sign up with this NPI: its owner should know. */
async function tellOwnerOfNpi(deps: Deps, npi: string): Promise<void> {
  const owner = await queries.findAccountByNpi(deps.db, npiIndex(deps.keys, npi));
  if (!owner) return;
  const { email } = openIdentity(deps.keys, owner.id, owner.sealed);
  await deps.jobs.enqueue(deps.db, 'send-mail', {
    to: email,
    template: 'signup-attempted',
    props: { what: 'npi' },
  });
}
