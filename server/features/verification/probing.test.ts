import { expect, vi } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import * as accounts from '#server/features/accounts/testing/account-flows.ts';
import type { NpiRegistry } from '#server/npi-registry/registry.ts';
import { newNpi } from '#server/testing/factories.ts';
import { answering } from '#server/testing/matched-doctor.ts';
import { type Reply, type Site, testWith } from '#server/testing/site.ts';
import { ADA, claim, prove } from './testing/claimants.ts';

const { bearer, codeFor, newDetails, PASSWORD } = accounts;

/** The registry answers after the response: otherwise a response may say what it answered. */
let answered: Promise<void> | undefined;
const npiRegistry: NpiRegistry = {
  async lookUp(npi) {
    await answered;
    return answering(ADA).lookUp(npi);
  },
};
const options = { config: { verification: 'proof' }, npiRegistry } as const;
const test = testWith(options).extend('sent', ({ site }) => {
  const sent: string[] = [];
  const statements = site.statements as Set<string>;
  vi.spyOn(statements, 'add').mockImplementation((text) => {
    // How often the queue asks for jobs depends on the time.
    if (!text.includes('pgboss')) sent.push(text);
    return statements;
  });
  return sent;
});

/** Removes what differs between any two accounts: padding, too, makes up for a longer address. */
function alike(body: string, details: { email: string; npi: string }) {
  const text = body.trimEnd().replaceAll(details.email, 'EMAIL').replaceAll(details.npi, 'NPI');
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/"dr-[0-9a-f]{8}"/g, '"USERNAME"')
    .replaceAll(/"(access|refresh)":"[^"]+"/g, '"$1":"TOKEN"');
}

/** Signs up with an NPI. Returns the responses, and the statements that the server sent for each. */
async function probe(site: Site, sent: string[], npi: string) {
  const details = newDetails({ npi });
  const learned: unknown[] = [];
  const learn = async <E extends Endpoint>(asking: Promise<Reply<E>>) => {
    const answer = await asking;
    await site.jobs.idle();
    const { status, text } = answer;
    learned.push([status, text.length, alike(text, details), sent.splice(0).toSorted()]);
    return answer;
  };
  sent.length = 0;
  const visitor = site.visitor();
  const { register, doctor } = sessionEndpoints;
  await learn(visitor.post(register, { action: 'create_account', ...details }));
  const otp_code = await codeFor(site, details.email);
  const verify = { action: 'verify_otp', ...details, otp_code } as const;
  const { promise, resolve } = Promise.withResolvers<void>();
  answered = promise;
  const created = visitor.post(register, verify);
  const { body } = await learn(created.finally(resolve));
  const member = site.as({ headers: bearer('access' in body ? body.access : '') });
  await learn(member.post(verificationEndpoints.checkRegistry, {}));
  await learn(member.get(doctor));
  return { learned: JSON.stringify(learned), email: details.email, member };
}

test('a hospital that probes NPIs does not learn which are members', async ({ site, sent }) => {
  const [matched, proven, stranger] = [newNpi(), newNpi(), newNpi()];
  await claim(site, matched);
  const owner = await claim(site, proven);
  await prove(site, owner);
  // The first sign-up begins the windows of the rate limits.
  const begun = await probe(site, sent, newNpi());
  // The owner is notified by mail.
  const emails = new Set([owner.email, begun.email]);
  const learned = new Set<string>();
  for (const npi of [matched, proven, stranger]) {
    const first = await probe(site, sent, npi);
    const removal = { password: PASSWORD, reviews: 'keep' } as const;
    expect((await first.member.post(accountEndpoints.delete, removal)).status).toBe(200);
    const again = await probe(site, sent, npi);
    for (const one of [first, again]) {
      learned.add(one.learned);
      emails.add(one.email);
    }
  }
  expect([...learned]).toEqual([expect.stringContaining('insert into')]);
  // Nobody else got mail.
  expect(new Set(site.mail.map(({ to }) => to))).toEqual(emails);
});
