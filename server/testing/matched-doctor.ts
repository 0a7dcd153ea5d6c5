import { onTestFinished } from 'vitest';
import type { Config } from '#server/config.ts';
import { beginSession } from '#server/features/accounts/session/sessions.ts';
import { addDoctor } from '#server/features/accounts/signup/new-account.ts';
import { type Evidence, NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import type { NpiRegistry, PostalAddress, RegistryAnswer } from '#server/npi-registry/registry.ts';
import { buildTestApp, type TestApp } from './app.ts';
import { newEmail, newNpi, type TestAccount } from './factories.ts';

export const PRACTICE: PostalAddress = {
  lines: ['1200 Wrenfield Ave', 'Suite 4'],
  city: 'ROCHESTER',
  state: 'NY',
  postal_code: '14642-0001',
};

export const PERSON = {
  kind: 'person',
  active: true,
  names: [{ first: 'Ada', last: 'Exemplar' }],
  taxonomies: ['207R00000X'],
  practice: PRACTICE,
} satisfies RegistryAnswer;

export const answering = (answer: RegistryAnswer): NpiRegistry => ({ lookUp: async () => answer });

/** A server on which a registry match is not enough. Closed at the end of the test. */
export async function proofServer(
  options: Omit<NonNullable<Parameters<typeof buildTestApp>[0]>, 'config'> & {
    config?: Partial<Config>;
  } = {},
): Promise<TestApp> {
  const server = await buildTestApp({
    npiRegistry: answering(PERSON),
    ...options,
    config: { verification: 'proof', ...options.config },
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** The evidence for a doctor known to the registry. */
export const MATCHED: Evidence = {
  ...NO_EVIDENCE,
  checks: { known: true, active: true, individual: true, physician: true, name_matches: true },
  checked_on: '2026-01-02',
};

export interface MatchedDoctor extends TestAccount {
  npi: string;
}

/** Signs in a doctor known to the registry who still has to submit a proof. */
export async function matchedDoctor(
  { deps }: TestApp,
  {
    npi = newNpi(),
    password = null,
    ...evidence
  }: Partial<Evidence> & { npi?: string; password?: string | null } = {},
): Promise<MatchedDoctor> {
  const email = newEmail();
  const userId = await addDoctor(deps, {
    ...{ email, first_name: 'Ada', last_name: 'Exemplar', npi, password },
    profile: { verification_status: 'needs_proof' },
    evidence: { ...MATCHED, ...evidence },
  });
  const { access, refresh } = await beginSession(deps, deps.db, userId);
  return { userId, email, npi, refresh, headers: { authorization: `Bearer ${access}` } };
}

/** Calls a route of `/api/verification/` in a new session, because days may have passed. */
export async function verification(
  { app, deps }: TestApp,
  { userId }: Pick<TestAccount, 'userId'>,
  path: string,
  payload?: object,
) {
  const { access } = await beginSession(deps, deps.db, userId);
  return app.inject({
    method: payload ? 'POST' : 'GET',
    url: `/api/verification/${path}`,
    headers: { authorization: `Bearer ${access}` },
    ...(payload && { payload }),
  });
}
