import { accountEndpoints } from '#contract/endpoints/account.ts';
import { caseEndpoints } from '#contract/endpoints/office.ts';
import {
  representativeDecisionEndpoints,
  representativeEndpoints,
} from '#contract/endpoints/replies.ts';
import type {
  RepresentativeDecision,
  RepresentativeDetails,
} from '#contract/replies/representatives.ts';
import {
  changeProfile,
  codeFor,
  deviceOf,
  PASSWORD,
  refusalOf,
} from '#server/features/accounts/testing/account-flows.ts';
import { logOf, newEmail, type TestAccount } from '#server/testing/factories.ts';
import { expect, invalid, newSite, type Site, test as siteTest } from '#server/testing/site.ts';

const { list, own } = representativeEndpoints;

const detailsAt = (domain: string, employer: number): RepresentativeDetails => {
  const id = crypto.randomUUID().slice(0, 8);
  return {
    email: `rita.${id}@${domain}`,
    first_name: 'Rita',
    last_name: `Speaks ${id}`,
    work_title: 'Chief of staff',
    employer,
    password: PASSWORD,
  };
};

const create = (site: Site, details: RepresentativeDetails) =>
  site.visitor().post(representativeEndpoints.register, { action: 'create_account', ...details });
const verify = (site: Site, details: RepresentativeDetails, otp_code: string) =>
  site
    .visitor()
    .post(representativeEndpoints.register, { action: 'verify_otp', ...details, otp_code });

async function signedUp(site: Site, employer: number) {
  const details = detailsAt('mail.stluke.example', employer);
  await create(site, details);
  const { body } = await verify(site, details, await codeFor(site, details.email));
  if (!('access' in body)) throw new Error(body.message);
  return { details, ...deviceOf(body) };
}

const test = siteTest
  .extend('employer', ({ site }) => site.employer({ website: 'https://www.stluke.example/about' }))
  .extend('rita', ({ site, employer }) => signedUp(site, employer))
  .extend('curator', ({ site }) => site.admin(['owner', 'curator']));

async function caseOf(
  site: Site,
  curator: TestAccount,
  { details }: { details: RepresentativeDetails },
) {
  for (let page = 1; ; page += 1) {
    const query = { kind: 'representative', page, page_size: 50 };
    const { results, next } = (await site.as(curator).get(caseEndpoints.list, { query })).body;
    const found = results.find(({ title }) => title === `Rita ${details.last_name}`);
    if (found) return found;
    if (next === null) throw new Error(`no case of ${details.last_name}`);
  }
}
const decide = (
  site: Site,
  by: TestAccount,
  decision: RepresentativeDecision,
  id: string,
  body: { reason: string; case_id?: string },
) => site.as(by).post(representativeDecisionEndpoints[decision], body, { params: { id } });

test('who signs up by mailbox waits for a curator', async ({ site, employer, rita, curator }) => {
  expect(rita.user).toMatchObject({ is_representative: true, is_admin: false });
  expect(rita.doctor).toBe(null);
  expect((await site.as(rita).get(own)).body).toMatchObject({
    state: 'pending',
    employer: { id: employer },
    work_title: 'Chief of staff',
    reason: '',
  });
  const open = await caseOf(site, curator, rita);
  expect(open).toMatchObject({ kind: 'representative', priority: 2 });
  // The day would show when the account signed up.
  expect(new Date(open.opened_on).getUTCDay()).toBe(1);
});

test('a curator compares the domains, and approves', async ({ site, employer, rita, curator }) => {
  const { details, user, headers } = rita;
  const { id } = await caseOf(site, curator, rita);
  const { file } = (await site.as(curator).get(caseEndpoints.read, { params: { id } })).body;
  expect(file).toMatchObject({
    type: 'representative',
    representative: {
      user: { id: user.id, email: details.email },
      work_title: 'Chief of staff',
      mailbox_domain: 'stluke.example',
      employer_domain: 'stluke.example',
      employer: { id: employer },
    },
  });
  const body = { reason: 'Called the switchboard.', case_id: id };
  const approve = () => decide(site, curator, 'approve', user.id, body);
  expect((await approve()).body).toMatchObject({ state: 'approved' });
  const representation = await site.as({ headers }).get(own);
  expect(representation.body).toMatchObject({ state: 'approved', reason: '' });
  expect(refusalOf(await approve()).code).toBe('case_closed');
  const { reason } = body;
  expect(await logOf(site, user.id, 'actor', 'action', 'details')).toEqual([
    { actor: curator.userId, action: 'representative.approve', details: { reason } },
  ]);
});

test('a refused representative sees the reason', async ({ site, rita, curator }) => {
  const refuse = (body: { reason: string }) => decide(site, curator, 'refuse', rita.user.id, body);
  expect((await refuse(invalid({}))).problem.errors).toEqual({ reason: ['Please give a reason'] });
  const reason = 'Nobody there knows you.';
  await refuse({ reason });
  expect((await site.as(rita).get(own)).body).toMatchObject({ state: 'refused', reason });
});

test('of two simultaneous decisions, one is made', async ({ site, rita, curator }) => {
  const case_id = (await caseOf(site, curator, rita)).id;
  const replies = await Promise.all([
    decide(site, curator, 'approve', rita.user.id, { reason: 'Known.', case_id }),
    decide(site, curator, 'refuse', rita.user.id, { reason: 'Unknown.', case_id }),
  ]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test('only a curator sees and decides it', async ({ site, rita, curator }) => {
  const moderator = await site.admin(['moderator']);
  const { id } = await caseOf(site, curator, rita);
  const seen = await site.as(moderator).get(caseEndpoints.read, { params: { id } });
  expect(seen.status).toBe(403);
  const answer = await decide(site, moderator, 'approve', rita.user.id, { reason: 'Known.' });
  expect(refusalOf(answer).code).toBe('permission_denied');
  const { userId } = await site.doctor();
  const approved = await decide(site, curator, 'approve', userId, { reason: 'A doctor.' });
  expect(approved.status).toBe(404);
});

test('a curator lists all representatives, by employer, a page at a time', async () => {
  const site = await newSite();
  const curator = site.as(await site.admin());
  const [one, two] = [await site.employer(), await site.employer()];
  const waiting = await site.representative(two, { state: 'pending' });
  const refused = await site.representative(one, { state: 'refused' });
  const approved = await site.representative(one);
  const page = async (page = 1) => {
    const reply = await curator.get(list, { query: { page, page_size: 2 } });
    return { ...reply.body, results: reply.body.results.map(({ user }) => user.id) };
  };
  const path = (number: number) => `/api/admin/representatives/?page=${number}&page_size=2`;
  const atOne = [refused.userId, approved.userId].toSorted();
  expect(await page()).toEqual({ count: 3, next: path(2), previous: null, results: atOne });
  const last = { count: 3, next: null, previous: path(1), results: [waiting.userId] };
  expect(await page(2)).toEqual(last);
  expect(await page(3)).toEqual({ count: 3, next: null, previous: path(2), results: [] });
  const { results } = (await curator.get(list)).body;
  expect(results.at(-1)).toMatchObject({
    user: { id: waiting.userId, email: waiting.email },
    work_title: 'Chief of staff',
    state: 'pending',
    employer: { id: two },
  });
  expect(results.map(({ state }) => state).toSorted()).toEqual(['approved', 'pending', 'refused']);
});

test('only a curator lists representatives', async ({ site, employer, curator }) => {
  expect((await site.as(curator).get(list)).status).toBe(200);
  expect((await site.visitor().get(list)).problem).toMatchObject({ status: 401 });
  for (const account of [
    await site.doctor(),
    await site.representative(employer),
    await site.admin(['moderator', 'auditor']),
    await site.admin(['verifier']),
  ])
    expect(refusalOf(await site.as(account).get(list)).code).toBe('permission_denied');
});

const FREE = ['gmail.com', 'Yahoo.co.uk', 'proton.me'];
test.for(FREE)('a mailbox at %s represents nobody', async (domain, { site, employer }) => {
  const detail = 'Please use your mailbox at the employer. A free mailbox cannot represent one.';
  const refused = refusalOf(await create(site, detailsAt(domain, employer)));
  const errors = { email: [detail] };
  expect(refused).toEqual({ status: 400, code: 'employer_mailbox', detail, errors });
});

test.for([
  ['work_title', '  ', 'Work title is required'],
  ['work_title', 'x'.repeat(101), 'Must be at most 100 characters'],
  ['work_title', 'Chief\u202eof staff', 'Must not contain control or invisible characters'],
  ['employer', 2_000_000_000, 'There is no such employer'],
  ['employer', '7', 'Must be the id of an employer'],
  ['password', 'P@ssw0rd', 'This password is too common. Please choose another.'],
  ['npi', '1234567893', 'Unknown field'],
] as const)('rejects an invalid %s: %j', async ([field, value, message], { site, employer }) => {
  const details = { ...detailsAt('stluke.example', employer), [field]: value };
  expect((await create(site, invalid(details))).problem.errors).toEqual({ [field]: [message] });
});

test('a code is bound to the employer and title that asked for it', async ({ site, employer }) => {
  const details = detailsAt('stluke.example', employer);
  await create(site, details);
  const code = await codeFor(site, details.email);
  for (const other of [{ employer: await site.employer() }, { work_title: 'Owner' }]) {
    expect(refusalOf(await verify(site, { ...details, ...other }, code)).code).toBe('invalid_code');
  }
  expect((await verify(site, details, code)).status).toBe(200);
});

test('the address of a representative stays at its domain', async ({ site, employer }) => {
  const email = `rita@${crypto.randomUUID()}.example`;
  const account = await site.representative(employer, { email });
  const change = (to: string) =>
    changeProfile(site, { id: account.userId, headers: account.headers }, { email: to });
  for (const to of ['rita@gmail.com', newEmail()]) {
    expect(refusalOf(await change(to)).code).toBe('employer_mailbox');
  }
  expect((await change(email.replace('rita', 'rita.speaks'))).status).toBe(200);
});

test('the representation is exported, and deleted with the account', async ({ site, employer }) => {
  const account = await site.representative(employer, { password: PASSWORD });
  const password = { password: PASSWORD };
  const { body } = await site.as(account).post(accountEndpoints.exportWithPassword, password);
  expect(body.representative).toMatchObject({ work_title: 'Chief of staff' });
  const removal = { ...password, reviews: 'delete' } as const;
  expect((await site.as(account).post(accountEndpoints.delete, removal)).status).toBe(200);
  expect(await site.rows('representatives', { user_id: account.userId })).toEqual([]);
});

test('no account is both a doctor’s and a representative’s', async ({ site, employer }) => {
  const { userId } = await site.doctor();
  const row = { user_id: userId, employer_id: employer };
  const both = site.deps.db.insertInto('representatives').values(row).execute();
  await expect(both).rejects.toMatchObject({ constraint: 'representatives_apart' });
});
