import { expect, test } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import type { VerificationSteps } from '#contract/verification.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import { retention } from '#server/features/accounts/retention.ts';
import { findTraces, readEverything } from '#server/features/accounts/testing/traces.ts';
import { RegistryUnavailable } from '#server/npi-registry/registry.ts';
import type { TestApp } from '#server/testing/app.ts';
import { signedInAdmin } from '#server/testing/factories.ts';
import { hurry } from '#server/testing/jobs.ts';
import {
  answering,
  type MatchedDoctor,
  matchedDoctor,
  PERSON,
  PRACTICE,
  proofServer,
  verification,
} from '#server/testing/matched-doctor.ts';
import { codeOn, newFolder, pagesOf } from '../testing/printed-letters.ts';
import { openLetter } from './letter.ts';

const day = (server: TestApp, days = 0) =>
  new Date(server.time.now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
const later = (server: TestApp, days: number) => {
  server.time.now = new Date(server.time.now.getTime() + days * DAY_MS);
};
const order = (server: TestApp, doctor: MatchedDoctor) =>
  verification(server, doctor, 'letter/', {});
const confirm = (server: TestApp, doctor: MatchedDoctor, code: string) =>
  verification(server, doctor, 'letter/confirm/', { code });
const steps = async (server: TestApp, doctor: MatchedDoctor) =>
  (await verification(server, doctor, '')).json<VerificationSteps>();
const rows = (server: TestApp) => server.deps.db.selectFrom('letters').selectAll().execute();
const tidy = (server: TestApp) => retention(server.deps)({});

/** Requests a letter and prints it. Returns its code. */
async function ordered(server: TestApp, doctor: MatchedDoctor): Promise<string> {
  expect((await order(server, doctor)).statusCode).toBe(200);
  const file = (await newFolder())('letters.pdf');
  const printed = await curbside(server, ['letters', 'print', file]);
  expect(printed).toMatchObject({ code: 0, errors: '' });
  return codeOn((await pagesOf(file))[0]);
}

test('the code on a printed letter verifies a doctor', async () => {
  const server = await proofServer();
  const doctor = await matchedDoctor(server);
  expect(await steps(server, doctor)).toEqual({
    mode: 'proof',
    letter: null,
    letter_from: day(server),
    mailbox_code_waits: false,
    prove_by: null,
  });

  const asked = await order(server, doctor);
  expect(asked.json()).toMatchObject({
    letter: { city: 'ROCHESTER', state: 'waiting', enter_by: null, attempts_left: 5 },
    letter_from: day(server, 30),
  });
  expect(asked.body).not.toMatch(/Wrenfield|Exemplar|14642/i);

  later(server, 3);
  const file = (await newFolder())('letters.pdf');
  expect(await curbside(server, ['letters', 'print', file])).toMatchObject({
    code: 0,
    output: `${file} has 1 letter.\n`,
  });
  expect(await steps(server, doctor)).toMatchObject({
    letter: { state: 'sent', requested_on: day(server, -3), enter_by: day(server, 30) },
  });

  const [page = ''] = await pagesOf(file);
  for (const part of [
    ...['ADA EXEMPLAR', '1200 WRENFIELD AVE', 'SUITE 4', 'ROCHESTER NY 14642-0001'],
    ...['P.O. Box 0000', 'Springfield, IL 62700', 'localhost:3000/letter'],
  ]) {
    expect(page).toContain(part);
  }
  expect(page).not.toMatch(/review|doctor|curbside|physician|employer|verif/i);
  expect(page).not.toContain(doctor.npi);

  const typed = codeOn(page)
    .toLowerCase()
    .replace('-', ' - ')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l');
  const confirmed = await confirm(server, doctor, ` ${typed} `);
  expect(confirmed.json()).toMatchObject({
    verified: true,
    can_post_reviews: true,
    verification: { status: 'passed', proofs: [{ kind: 'letter', on: day(server) }] },
  });
  expect(await rows(server)).toEqual([]);
  expect((await steps(server, doctor)).letter_from).toBeNull();
  const refused = await confirm(server, doctor, codeOn(page));
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'nothing_to_prove']);
});

test('rejects a wrong code at its field and counts it; six simultaneous ones get five attempts', async () => {
  const server = await proofServer();
  const doctor = await matchedDoctor(server);
  const code = await ordered(server, doctor);
  const wrong = await confirm(server, doctor, 'ZZZZZ-ZZZZZ');
  expect(wrong.statusCode).toBe(400);
  expect(wrong.json()).toMatchObject({
    code: 'invalid_proof_code',
    errors: { code: ['This code is wrong or has expired.'] },
  });
  expect((await steps(server, doctor)).letter?.attempts_left).toBe(4);

  const tries = Array.from({ length: 6 }, () => confirm(server, doctor, 'ZZZZZ-ZZZZY'));
  for (const { statusCode } of await Promise.all(tries)) expect(statusCode).toBe(400);
  const [row] = await rows(server);
  expect(row?.attempts).toBe(5);
  expect(await steps(server, doctor)).toMatchObject({
    letter: { state: 'no_attempts_left', attempts_left: 0, city: 'ROCHESTER' },
  });
  expect((await confirm(server, doctor, code)).statusCode).toBe(400);

  // Name, address, and code are deleted. A record that there was a letter is kept for the month.
  expect(row && openLetter(server.deps.keys, row)?.page).toBeNull();
  expect((await order(server, doctor)).json().code).toBe('letter_too_soon');
  await tidy(server);
  expect(await rows(server)).toHaveLength(1);
  later(server, 30);
  await tidy(server);
  expect(await rows(server)).toHaveLength(0);
  expect((await order(server, doctor)).statusCode).toBe(200);
});

test('allows one letter a month, and a new one invalidates the old one', async () => {
  const server = await proofServer();
  const doctor = await matchedDoctor(server);
  expect((await order(server, doctor)).statusCode).toBe(200);
  later(server, 20);
  const file = (await newFolder())('letters.pdf');
  await curbside(server, ['letters', 'print', file]);
  const old = codeOn((await pagesOf(file))[0]);
  later(server, 9);
  const early = await order(server, doctor);
  expect([early.statusCode, early.json().code]).toEqual([409, 'letter_too_soon']);
  later(server, 1);
  expect((await order(server, doctor)).json().letter).toMatchObject({
    state: 'waiting',
    requested_on: day(server),
  });
  expect((await confirm(server, doctor, old)).json().code).toBe('invalid_proof_code');
  expect((await steps(server, doctor)).letter?.attempts_left).toBe(5);
});

test('two simultaneous requests order one letter', async () => {
  const server = await proofServer();
  const doctor = await matchedDoctor(server);
  const answers = await Promise.all([1, 2, 3].map(() => order(server, doctor)));
  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409]);
});

test('a code works until the thirtieth day after printing, and no longer', async () => {
  const server = await proofServer();
  const [first, second] = [await matchedDoctor(server), await matchedDoctor(server)];
  const codes = [await ordered(server, first), await ordered(server, second)];
  later(server, 30);
  await tidy(server);
  expect((await confirm(server, first, codes[0] ?? '')).statusCode).toBe(200);
  later(server, 1);
  expect((await steps(server, second)).letter).toMatchObject({ state: 'expired' });
  expect((await confirm(server, second, codes[1] ?? '')).json().code).toBe('invalid_proof_code');
  await tidy(server);
  expect(await rows(server)).toEqual([]);
});

test('a letter that nobody prints is deleted', async () => {
  const server = await proofServer();
  const doctor = await matchedDoctor(server);
  await order(server, doctor);
  later(server, 90);
  await tidy(server);
  expect(await rows(server)).toHaveLength(1);
  later(server, 1);
  await tidy(server);
  expect(await rows(server)).toEqual([]);
});

test.each([
  ['a registry that is down', 503, 'registry_unavailable', null],
  ['no practice address', 409, 'no_practice_address', { ...PERSON, practice: null }],
  ['a number no longer active', 409, 'no_practice_address', { ...PERSON, active: false }],
  ['an unknown number', 409, 'no_practice_address', { kind: 'unknown' }],
] as const)(
  'with %s, no letter is ordered, and the month does not start',
  async (_, status, code, answer) => {
    let isFixed = false;
    const server = await proofServer({
      npiRegistry: {
        async lookUp() {
          if (isFixed) return PERSON;
          if (!answer) throw new RegistryUnavailable('down');
          return answer;
        },
      },
    });
    const doctor = await matchedDoctor(server);
    const refused = await order(server, doctor);
    expect([refused.statusCode, refused.json().code]).toEqual([status, code]);
    expect(await rows(server)).toEqual([]);
    isFixed = true;
    expect((await order(server, doctor)).statusCode).toBe(200);
  },
);

test('only a doctor who can give a proof can order a letter', async () => {
  const server = await proofServer();
  const refused = [
    await matchedDoctor(server, { proofs: [{ kind: 'letter', on: '2026-01-02' }] }),
    await matchedDoctor(server, { is_refused: true }),
    // After a first proof, a letter does not help a trainee.
    await matchedDoctor(server, {
      in_training: true,
      proofs: [{ kind: 'mailbox', on: '2026-01-02' }],
    }),
    await signedInAdmin(server),
  ];
  for (const account of refused) {
    const answer = await verification(server, account, 'letter/', {});
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'nothing_to_prove']);
    const confirmed = await verification(server, account, 'letter/confirm/', { code: 'X' });
    expect(confirmed.json().code).toBe('nothing_to_prove');
    expect((await verification(server, account, '')).json().letter_from).toBeNull();
  }
  const manual = await proofServer({ config: { verification: 'manual' } });
  expect((await order(manual, await matchedDoctor(manual))).json().code).toBe('nothing_to_prove');
  const signedOut = await server.app.inject({ url: '/api/verification/' });
  expect(signedOut.statusCode).toBe(401);
});

test('neither the database nor the log contains a readable code or address', async () => {
  const lines: string[] = [];
  const server = await proofServer({
    config: { logLevel: 'trace' },
    logTo: (line) => lines.push(line),
  });
  const doctor = await matchedDoctor(server);
  const seen: string[] = [];
  const look = async () => void seen.push(...(await readEverything(server.deps.database.pool)));
  await order(server, doctor);
  await look();
  const file = (await newFolder())('letters.pdf');
  await curbside(server, ['letters', 'print', file]);
  await look();
  const code = codeOn((await pagesOf(file))[0]);
  await confirm(server, doctor, 'ZZZZZ-ZZZZZ');
  await look();
  await confirm(server, doctor, code);
  await look();
  await hurry(server.deps.database.pool);
  await server.jobs.idle();
  await look();
  const markers = [
    code,
    code.replace('-', ''),
    ...PRACTICE.lines,
    PRACTICE.city,
    'Exemplar',
    '14642',
  ];
  expect(findTraces(seen, markers)).toEqual([]);
  expect(findTraces(lines, markers)).toEqual([]);
  expect(findTraces(seen, ['letters.print'])).toEqual(['letters.print']);
  expect(findTraces(lines, ['/api/verification/letter/'])).not.toEqual([]);
});

test('all rows have the same length, for any letter and after it is wiped', async () => {
  const long = { ...PRACTICE, lines: ['N'.repeat(55), 'S'.repeat(55)], city: 'C'.repeat(40) };
  const server = await proofServer({ npiRegistry: answering({ ...PERSON, practice: long }) });
  const doctor = await matchedDoctor(server);
  await ordered(server, doctor);
  const lengths = new Set<number>();
  const look = async () =>
    void (await rows(server)).map(({ sealed }) => lengths.add(sealed.length));
  await look();
  for (let at = 0; at < 5; at += 1) await confirm(server, doctor, 'ZZZZZ-ZZZZZ');
  await look();
  const other = await proofServer();
  await order(other, await matchedDoctor(other));
  for (const { sealed } of await rows(other)) lengths.add(sealed.length);
  expect(lengths.size).toBe(1);
});

test('the data export contains the pending letter', async () => {
  const server = await proofServer();
  const doctor = await matchedDoctor(server);
  await order(server, doctor);
  const { headers } = doctor;
  const answer = await server.app.inject({ url: '/api/auth/export/', headers });
  expect(answer.json().letter).toEqual((await steps(server, doctor)).letter);
  expect(answer.json().letter).toMatchObject({ state: 'waiting' });
});
