import { expect } from 'vitest';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { verificationEndpoints } from '#contract/endpoints/verification.ts';
import { DAY_MS } from '#contract/limits.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import { findTraces, readEverything } from '#server/features/accounts/testing/traces.ts';
import { retention } from '#server/features/member/retention.ts';
import { RegistryUnavailable } from '#server/npi-registry/registry.ts';
import { hurry } from '#server/testing/jobs.ts';
import * as doctors from '#server/testing/matched-doctor.ts';
import { newSite, type Site, testWith } from '#server/testing/site.ts';
import { VERIFIED } from '../testing/claimants.ts';
import { codeOn, newFiles, pagesOf } from '../testing/printed-letters.ts';
import { openLetter } from './stored-letters.ts';

const { matchedDoctor, PERSON, PRACTICE, proofsOf, registryOf } = doctors;
type MatchedDoctor = doctors.MatchedDoctor;
const npiRegistry = registryOf(PERSON);
const lines: string[] = [];
const test = testWith({
  config: { verification: 'proof', logLevel: 'trace' },
  npiRegistry,
  // A postal code may by chance equal the number of the process.
  logTo: (line) => lines.push(line.replace(`"pid":${process.pid},`, '')),
}).extend('doctor', ({ site }) => matchedDoctor(site));
// Commands print all waiting letters.
test.beforeEach(async ({ site }) => {
  await site.deps.db.deleteFrom('letters').execute();
});

const day = (site: Site, days = 0) =>
  new Date(site.time.now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
const tidy = (site: Site) => retention(site.deps)({});

/** Prints the waiting letter. Returns its page. */
async function printed(site: Site): Promise<string> {
  const file = newFiles()('letters.pdf');
  const made = { code: 0, output: `${file} has 1 letter.\n`, errors: '' };
  expect(await curbside(site, ['letters', 'print', file])).toEqual(made);
  return (await pagesOf(file))[0] ?? '';
}

const WRONG = 'ZZZZZ-ZZZZZ';
const INVALID = { status: 400, code: 'invalid_proof_code' };

/** Requests a letter and prints it. Returns its code. */
async function ordered(site: Site, doctor: MatchedDoctor): Promise<string> {
  expect((await doctor.orderLetter()).status).toBe(200);
  return codeOn(await printed(site));
}

test('the code on a printed letter verifies a doctor', async ({ site, doctor }) => {
  const nothing = { mode: 'proof', letter: null, mailbox_code_waits: false, asked: null };
  expect(await doctor.steps()).toEqual({ ...nothing, letter_from: day(site) });

  const asked = await doctor.orderLetter();
  expect(asked.body).toMatchObject({
    letter: { city: 'ROCHESTER', state: 'waiting', enter_by: null, attempts_left: 5 },
    letter_from: day(site, 30),
  });
  expect(asked.text).not.toMatch(/Wrenfield|Exemplar|14642/i);

  site.pass(3 * DAY_MS);
  const page = await printed(site);
  const sent = { state: 'sent', requested_on: day(site, -3), enter_by: day(site, 30) };
  expect((await doctor.steps()).letter).toMatchObject(sent);
  for (const part of [
    ...['ADA EXEMPLAR', '1200 WRENFIELD AVE', 'SUITE 4', 'ROCHESTER NY 14642-0001'],
    ...['P.O. Box 0000', 'Springfield, IL 62700', 'localhost:3000/letter'],
  ]) {
    expect(page).toContain(part);
  }
  expect(page).not.toMatch(/review|doctor|curbside|physician|employer|verif/i);
  expect(page).not.toContain(doctor.npi);

  const code = codeOn(page);
  const typed = code.toLowerCase().replace('-', ' - ').replaceAll('0', 'o').replaceAll('1', 'l');
  const verification = { status: 'passed', proofs: [{ kind: 'letter', on: day(site) }] };
  const { body } = await doctor.enterLetterCode(` ${typed} `);
  expect(body).toMatchObject({ ...VERIFIED, verification });
  expect(await site.rows('letters')).toEqual([]);
  expect((await doctor.steps()).letter_from).toBeNull();
  const { problem } = await doctor.enterLetterCode(code);
  expect(problem).toMatchObject({ status: 409, code: 'nothing_to_prove' });
});

test('counts wrong codes; six simultaneous ones get five attempts', async ({ site, doctor }) => {
  const code = await ordered(site, doctor);
  const errors = { code: ['This code is wrong or has expired.'] };
  expect((await doctor.enterLetterCode(WRONG)).problem).toMatchObject({ ...INVALID, errors });
  expect((await doctor.steps()).letter?.attempts_left).toBe(4);

  const tries = Array.from({ length: 6 }, () => doctor.enterLetterCode('ZZZZZ-ZZZZY'));
  for (const { status } of await Promise.all(tries)) expect(status).toBe(400);
  const [row] = await site.rows('letters');
  expect(row?.attempts).toBe(5);
  const spent = { state: 'no_attempts_left', attempts_left: 0, city: 'ROCHESTER' };
  expect((await doctor.steps()).letter).toMatchObject(spent);
  expect((await doctor.enterLetterCode(code)).status).toBe(400);

  // Name, address, and code are deleted. A record that there was a letter is kept for the month.
  expect(row && openLetter(site.deps.keys, row)?.page).toBeNull();
  expect((await doctor.orderLetter()).problem.code).toBe('letter_too_soon');
  await tidy(site);
  expect(await site.rows('letters')).toHaveLength(1);
  site.pass(30 * DAY_MS);
  await tidy(site);
  expect(await site.rows('letters')).toHaveLength(0);
  expect((await doctor.orderLetter()).status).toBe(200);
});

test('allows one letter a month, and a new one ends the old one', async ({ site, doctor }) => {
  expect((await doctor.orderLetter()).status).toBe(200);
  site.pass(20 * DAY_MS);
  const old = codeOn(await printed(site));
  site.pass(9 * DAY_MS);
  const early = await doctor.orderLetter();
  expect(early.problem).toMatchObject({ status: 409, code: 'letter_too_soon' });
  site.pass(1 * DAY_MS);
  const { letter } = (await doctor.orderLetter()).body;
  expect(letter).toMatchObject({ state: 'waiting', requested_on: day(site) });
  expect((await doctor.enterLetterCode(old)).problem).toMatchObject(INVALID);
  expect((await doctor.steps()).letter?.attempts_left).toBe(5);
});

test('two simultaneous requests order one letter', async ({ doctor }) => {
  const answers = await Promise.all([1, 2, 3].map(() => doctor.orderLetter()));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

test('a code works until its last day has ended in Hawaii', async ({ site, doctor: first }) => {
  const second = await matchedDoctor(site);
  const codes = [await ordered(site, first), await ordered(site, second)] as const;
  const [last, next] = [day(site, 30), day(site, 31)];
  site.time.now = new Date(`${last}T23:59:00-10:00`);
  expect(day(site)).toBe(next);
  await tidy(site);
  expect((await second.steps()).letter).toMatchObject({ state: 'sent', enter_by: last });
  expect((await first.enterLetterCode(codes[0])).status).toBe(200);
  site.pass(1 * DAY_MS);
  expect((await second.steps()).letter).toMatchObject({ state: 'expired' });
  expect((await second.enterLetterCode(codes[1])).problem.code).toBe('invalid_proof_code');
  await tidy(site);
  expect(await site.rows('letters')).toEqual([]);
});

test('a letter that nobody prints is deleted', async ({ site, doctor }) => {
  await doctor.orderLetter();
  site.pass(90 * DAY_MS);
  await tidy(site);
  expect(await site.rows('letters')).toHaveLength(1);
  site.pass(1 * DAY_MS);
  await tidy(site);
  expect(await site.rows('letters')).toEqual([]);
});

test.for([
  ['a registry that is down', 503, 'registry_unavailable', null],
  ['no practice address', 409, 'no_practice_address', { ...PERSON, practice: null }],
  ['a number no longer active', 409, 'no_practice_address', { ...PERSON, active: false }],
  ['an unknown number', 409, 'no_practice_address', { kind: 'unknown' }],
] as const)('with %s, no month starts', async ([, status, code, answer], { site }) => {
  let isFixed = false;
  const npi = npiRegistry.numberOf(async () => {
    if (isFixed) return PERSON;
    if (!answer) throw new RegistryUnavailable('down');
    return answer;
  });
  const doctor = await matchedDoctor(site, { npi });
  expect((await doctor.orderLetter()).problem).toMatchObject({ status, code });
  expect(await site.rows('letters')).toEqual([]);
  isFixed = true;
  expect((await doctor.orderLetter()).status).toBe(200);
});

test('only a doctor who can give a proof can order a letter', async ({ site }) => {
  const manual = await newSite({ npiRegistry, config: { verification: 'manual' } });
  const proof = (kind: 'letter' | 'mailbox') => ({ kind, on: '2026-01-02' });
  for (const refused of [
    await matchedDoctor(site, { proofs: [proof('letter')] }),
    await matchedDoctor(site, { is_refused: true }),
    // After a first proof, a letter does not help a trainee.
    await matchedDoctor(site, { in_training: true, proofs: [proof('mailbox')] }),
    proofsOf(site, await site.admin()),
    await matchedDoctor(manual),
  ]) {
    const nothing = { status: 409, code: 'nothing_to_prove' };
    expect((await refused.orderLetter()).problem).toMatchObject(nothing);
    expect((await refused.enterLetterCode('X')).problem).toMatchObject(nothing);
    expect((await refused.steps()).letter_from).toBeNull();
  }
  expect((await site.visitor().get(verificationEndpoints.steps)).status).toBe(401);
});

test('neither database nor log contains a readable code or address', async ({ site, doctor }) => {
  const { pool } = site.deps.database;
  const seen: string[] = [];
  const look = async () => void seen.push(...(await readEverything(pool)));
  await doctor.orderLetter();
  await look();
  const code = codeOn(await printed(site));
  await look();
  await doctor.enterLetterCode('ZZZZZ-ZZZZZ');
  await look();
  await doctor.enterLetterCode(code);
  await look();
  await hurry(pool);
  await site.jobs.idle();
  await look();
  const { lines: address, city } = PRACTICE;
  const markers = [code, code.replace('-', ''), ...address, city, 'Exemplar', '14642'];
  expect(findTraces(seen, markers)).toEqual([]);
  expect(findTraces(lines, markers)).toEqual([]);
  expect(findTraces(seen, ['letters.print'])).toEqual(['letters.print']);
  expect(findTraces(lines, ['/api/verification/letter/'])).not.toEqual([]);
});

test('all rows have one length, for any letter and after it is wiped', async ({ site, doctor }) => {
  const practice = { ...PRACTICE, lines: ['N'.repeat(55), 'S'.repeat(55)], city: 'C'.repeat(40) };
  const long = await matchedDoctor(site, { npi: npiRegistry.numberOf({ ...PERSON, practice }) });
  await ordered(site, long);
  const lengths = (await site.rows('letters')).map(({ sealed }) => sealed.length);
  for (let at = 0; at < 5; at += 1) await long.enterLetterCode('ZZZZZ-ZZZZZ');
  await doctor.orderLetter();
  lengths.push(...(await site.rows('letters')).map(({ sealed }) => sealed.length));
  expect(lengths).toHaveLength(3);
  expect(new Set(lengths).size).toBe(1);
});

test('the data export contains the pending letter', async ({ site, doctor }) => {
  await doctor.orderLetter();
  const { letter } = (await site.as(doctor).get(accountEndpoints.export)).body;
  expect(letter).toEqual((await doctor.steps()).letter);
  expect(letter).toMatchObject({ state: 'waiting' });
});
