import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { beginSession } from '#server/features/accounts/session/sessions.ts';
import { addDoctor } from '#server/features/accounts/signup/signup.ts';
import { type Evidence, NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import type { NpiRegistry, PostalAddress, RegistryAnswer } from '#server/npi-registry/registry.ts';
import { newEmail, newNpi, type TestAccount } from './factories.ts';
import type { Client, Site } from './site.ts';

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

/** A registry that gives the same answer about every number, except those with their own. */
export function registryOf(usual: RegistryAnswer) {
  const lookUps = new Map<string, () => Promise<RegistryAnswer>>();
  return {
    lookUp: async (npi: string) => lookUps.get(npi)?.() ?? usual,
    /** A new number with its own answer. */
    numberOf(answer: RegistryAnswer | (() => Promise<RegistryAnswer>)): string {
      const npi = newNpi();
      lookUps.set(npi, typeof answer === 'function' ? answer : async () => answer);
      return npi;
    },
  };
}

/** The evidence for a doctor known to the registry. */
export const MATCHED: Evidence = {
  ...NO_EVIDENCE,
  checks: { known: true, active: true, individual: true, physician: true, name_matches: true },
  checked_on: '2026-01-02',
};

export type MatchedDoctor = Awaited<ReturnType<typeof matchedDoctor>>;

/** Signs in a doctor known to the registry who still has to submit a proof. */
export async function matchedDoctor(
  site: Site,
  {
    npi = newNpi(),
    password = null,
    ...evidence
  }: Partial<Evidence> & { npi?: string; password?: string | null } = {},
) {
  const email = newEmail();
  const userId = await addDoctor(site.deps, {
    ...{ email, first_name: 'Ada', last_name: 'Exemplar', npi, password },
    profile: { verification_status: 'needs_proof' },
    evidence: { ...MATCHED, ...evidence },
  });
  const account = await signedInAgain(site, { userId, email });
  return { ...account, npi, ...proofsOf(site, account) };
}

/** The account in a new session. */
export async function signedInAgain<Account extends Pick<TestAccount, 'userId' | 'email'>>(
  { deps }: Pick<Site, 'deps'>,
  account: Account,
): Promise<Account & TestAccount> {
  const { access, refresh } = await beginSession(deps, deps.db, account.userId);
  return { ...account, refresh, headers: { authorization: `Bearer ${access}` } };
}

/** What an account does to prove its NPI. Each call has a new session, as days may have passed. */
export function proofsOf(site: Site, account: TestAccount) {
  const later = async (): Promise<Client> => site.as(await signedInAgain(site, account));
  const { steps, orderLetter, confirmLetter, mailMailboxCode, confirmMailbox } =
    verificationEndpoints;
  return {
    steps: async () => (await (await later()).get(steps)).body,
    orderLetter: async () => (await later()).post(orderLetter, {}),
    enterLetterCode: async (code: string) => (await later()).post(confirmLetter, { code }),
    askForMailboxCode: async (email: string) => (await later()).post(mailMailboxCode, { email }),
    enterMailboxCode: async (code: string) => (await later()).post(confirmMailbox, { code }),
  };
}
