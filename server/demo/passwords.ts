import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { VerificationChecks } from '#contract/verification/doctors.ts';
import type { Config } from '#server/config/config.ts';
import type { Deps } from '#server/deps.ts';
import { findStaff, selectByNpi } from '#server/features/accounts/identity/profiles.ts';
import { hasPassword, replacePassword } from '#server/features/accounts/password/password.ts';
import { makePrivate, writePrivate } from '#server/files/data-files.ts';
import { NO_EVIDENCE } from '#server/npi-registry/evidence.ts';

const PASSED: VerificationChecks = {
  known: true,
  active: true,
  individual: true,
  physician: true,
  name_matches: true,
};

export const DEMO_VERIFIED = {
  verified: true,
  can_post_reviews: true,
  verification_status: 'passed',
} as const;

/** The evidence of a demo doctor's verification. */
export const DEMO_EVIDENCE = { ...NO_EVIDENCE, checks: PASSED };

/** The published password of all demo accounts. */
export const DEMO_PASSWORD = 'Curbside-demo-1';

/** The doctors of the demo. Their NPIs belong to nobody. */
export const DEMO_ACCOUNTS = [
  {
    email: 'doctor@curbside.example',
    about: 'verified, may post',
    first_name: 'Maya',
    last_name: 'Castellanos',
    npi: '2000000008',
    profile: DEMO_VERIFIED,
    evidence: DEMO_EVIDENCE,
  },
  {
    email: 'pending@curbside.example',
    about: 'not verified',
    first_name: 'Theo',
    last_name: 'Lindqvist',
    npi: '2000000016',
    profile: { verification_status: 'needs_review' },
    evidence: {
      ...NO_EVIDENCE,
      checks: { ...PASSED, name_matches: false },
      registry_name: { first_name: 'THEODOR', last_name: 'LINDSTROM' },
    },
  },
  {
    email: 'readonly@curbside.example',
    about: 'verified, may not post',
    first_name: 'Amara',
    last_name: 'Okonkwo-Hayes',
    npi: '2000000024',
    profile: { ...DEMO_VERIFIED, can_post_reviews: false },
    evidence: DEMO_EVIDENCE,
  },
] as const;

export const DEMO_ADMIN = {
  email: 'admin@curbside.example',
  about: 'administrator',
  first_name: 'Rowan',
  last_name: 'Abernathy',
} as const;

const EMAILS = [...DEMO_ACCOUNTS, DEMO_ADMIN].map(({ email }) => email);
const Stored = z.record(z.enum(EMAILS), z.string());
type DemoEmail = (typeof EMAILS)[number];
export type DemoPasswords = Readonly<Record<DemoEmail, string>>;

const forEach = (password: () => string) =>
  Object.fromEntries(EMAILS.map((email) => [email, password()])) as DemoPasswords;

export const PUBLISHED: DemoPasswords = forEach(() => DEMO_PASSWORD);

/**
 * The passwords of the demo accounts: the published one, unless the demo is open to the network. In
 * that case, each account has its own password in `DATA_DIR/demo-passwords.json`, mode 600.
 */
export function demoPasswords({
  dataDir,
  devPort,
}: Pick<Config, 'dataDir' | 'devPort'>): DemoPasswords {
  const file = path.join(dataDir, 'demo-passwords.json');
  if (existsSync(file)) {
    makePrivate(file);
    return Stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  }
  if (devPort === null) return PUBLISHED;
  const passwords = forEach(() => randomBytes(10).toString('hex'));
  writePrivate(file, JSON.stringify(passwords, null, 2));
  return passwords;
}

/** Replaces the published password on all accounts that still have it. */
export async function replacePublishedPasswords(
  deps: Pick<Deps, 'config' | 'db' | 'keys' | 'jobs'>,
  passwords: DemoPasswords,
): Promise<void> {
  if (passwords === PUBLISHED) return;
  // Finds accounts by NPI, because someone may have changed the email address while trying the
  // demo.
  for (const { npi, email } of DEMO_ACCOUNTS) {
    for (const { user } of await selectByNpi(deps.keys, deps.db, npi)) {
      // Someone else may have signed up with this NPI.
      if (user.email !== email && !(await hasPassword(deps, user.id, DEMO_PASSWORD))) continue;
      await replacePassword(deps, user.id, passwords[email]);
    }
  }
  for (const user of await findStaff(deps.keys, deps.db)) {
    // Includes the demo's administrator, even with a changed email address.
    if (user.email === DEMO_ADMIN.email || (await hasPassword(deps, user.id, DEMO_PASSWORD))) {
      await replacePassword(deps, user.id, passwords[DEMO_ADMIN.email]);
    }
  }
}
