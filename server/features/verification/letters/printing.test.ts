import { existsSync as isThere, writeFileSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import { matchedDoctor, PERSON, registryOf } from '#server/testing/matched-doctor.ts';
import { type Site, testWith } from '#server/testing/site.ts';
import { codeOn, newFiles, pagesOf } from '../testing/printed-letters.ts';

const npiRegistry = registryOf(PERSON);
const options = { config: { verification: 'proof' }, npiRegistry } as const;
const test = testWith(options).extend('at', () => newFiles());
test.beforeEach(async ({ site: { deps } }) => {
  await deps.db.deleteFrom('letters').execute();
  await deps.db.deleteFrom('audit_log').execute();
});

/** Doctors who have requested letters. */
async function waiting(site: Site, count: number) {
  const doctors: Awaited<ReturnType<typeof matchedDoctor>>[] = [];
  while (doctors.length < count) doctors.push(await matchedDoctor(site));
  for (const doctor of doctors) expect((await doctor.orderLetter()).status).toBe(200);
  return doctors;
}
const print = (site: Pick<Site, 'deps'>, file: string, ...more: string[]) =>
  curbside(site, ['letters', 'print', file, ...more]);
const codesIn = async (file: string) =>
  (await pagesOf(file)).map((page) => codeOn(page)).toSorted();
const filesBeside = async (file: string) => (await readdir(path.dirname(file))).toSorted();
const NONE = 'No letters are waiting.\n';
const today = ({ time }: Site) => time.now.toISOString().slice(0, 10);

test('prints every letter once, on its own page', async ({ site, at }) => {
  const [doctor] = await waiting(site, 3);
  const { output } = await print(site, at('one.pdf'));
  expect(output).toBe(`${at('one.pdf')} has 3 letters.\n`);
  const codes = await codesIn(at('one.pdf'));
  expect(new Set(codes).size).toBe(3);
  expect(await print(site, at('two.pdf'))).toEqual({ code: 0, output: NONE, errors: '' });
  expect(isThere(at('two.pdf'))).toBe(false);
  // Each code belongs to one doctor.
  const statuses = [];
  for (const code of codes) statuses.push((await doctor?.enterLetterCode(code))?.status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  const act = { actor: 'cli', action: 'letters.print', subject: 'letters', details: { count: 3 } };
  expect(await site.rows('audit_log')).toMatchObject([act]);
});

test('simultaneous print commands print each letter once', async ({ site, at }) => {
  await waiting(site, 12);
  const files = [at('a.pdf'), at('b.pdf'), at('c.pdf')];
  const printed = await Promise.all(files.map((file) => print(site, file)));
  for (const { code, errors } of printed) expect([code, errors]).toEqual([0, '']);
  const made = (await Promise.all(files.filter(isThere).map(codesIn))).flat();
  expect(made).toHaveLength(12);
  expect(new Set(made).size).toBe(12);
});

test('two print commands with the same file lose nothing', async ({ site, at }) => {
  await waiting(site, 6);
  const printed = await Promise.all([1, 2].map(() => print(site, at('one.pdf'))));
  const made = await codesIn(at('one.pdf'));
  const failed = printed.some(({ code }) => code === 1);
  if (failed) await print(site, at('again.pdf'), '--again', today(site));
  expect(failed ? await codesIn(at('again.pdf')) : made).toHaveLength(6);
});

test('reprints letters only on request, by day, with the same code', async ({ site, at }) => {
  await waiting(site, 2);
  const day = today(site);
  await print(site, at('one.pdf'));
  site.pass(5 * DAY_MS);
  await waiting(site, 1);
  expect(await print(site, at('again.pdf'), '--again', day)).toMatchObject({ code: 0 });
  expect(await pagesOf(at('again.pdf'))).toEqual(await pagesOf(at('one.pdf')));
  const { output } = await print(site, at('none.pdf'), '--again', '2020-01-01');
  expect(output).toBe('No letter from 2020-01-01 can be printed again.\n');
  expect((await print(site, at('none.pdf'), '--again', 'yesterday')).code).toBe(1);
  // The later letter is still waiting.
  await print(site, at('later.pdf'));
  expect(await codesIn(at('later.pdf'))).toHaveLength(1);
  site.pass(26 * DAY_MS);
  expect((await print(site, at('none.pdf'), '--again', day)).output).toContain('No letter');
});

test('never overwrites a file; its letters can be printed again', async ({ site, at }) => {
  await waiting(site, 1);
  await writeFile(at('kept.pdf'), 'kept');
  const errors = `curbside: ${at('kept.pdf')} already exists\n`;
  expect(await print(site, at('kept.pdf'))).toMatchObject({ code: 1, errors });
  expect(await readFile(at('kept.pdf'), 'utf8')).toBe('kept');
  for (const [folder, reason] of [
    [at('missing'), 'file not found'],
    // Nobody can create a file in it, not even root.
    ['/proc', 'file not found'],
  ]) {
    const nowhere = await print(site, `${folder}/letters.pdf`);
    expect(nowhere).toMatchObject({ code: 1, errors: `curbside: ${folder}: ${reason}\n` });
  }
  expect((await print(site, at('letters.pdf'))).output).toContain('1 letter.');
  expect((await print(site, at('again.pdf'), '--again', today(site))).code).toBe(0);
  expect(await filesBeside(at('x'))).toEqual(['again.pdf', 'kept.pdf', 'letters.pdf']);
});

test('keeps a file that appears meanwhile; its letters can be reprinted', async ({ site, at }) => {
  await waiting(site, 1);
  const clock = () => {
    writeFileSync(at('one.pdf'), 'kept');
    return site.time.now;
  };
  const failed = await print({ deps: { ...site.deps, clock } }, at('one.pdf'));
  expect(failed.code).toBe(1);
  expect(failed.errors).toContain(`run this again with --again ${today(site)}`);
  expect(await readFile(at('one.pdf'), 'utf8')).toBe('kept');
  expect((await print(site, at('two.pdf'))).output).toBe(NONE);
  expect((await print(site, at('two.pdf'), '--again', today(site))).output).toContain('1 letter.');
  expect(await filesBeside(at('x'))).toEqual(['one.pdf', 'two.pdf']);
});

test('only its owner can read the file; its metadata contain only a day', async ({ site, at }) => {
  await waiting(site, 2);
  await print(site, at('one.pdf'));
  expect((await stat(at('one.pdf'))).mode & 0o777).toBe(0o600);
  const { getDocumentProxy, getMeta } = await import('unpdf');
  const bytes = await readFile(at('one.pdf'));
  const { info } = await getMeta(await getDocumentProxy(new Uint8Array(bytes)));
  const day = `D:${today(site).replaceAll('-', '')}000000Z`;
  expect(info).toMatchObject({ CreationDate: day, ModDate: day, Producer: '', Creator: '' });
  for (const name of ['Title', 'Author', 'Subject', 'Keywords']) expect(info[name]).toBeUndefined();
});

test('without a sender, prints what to set, and marks nothing', async ({ site, at }) => {
  await waiting(site, 1);
  const config = { ...site.deps.config, letterSender: null };
  const errors = 'curbside: LETTER_SENDER: must be set to print letters\n';
  const refused = await print({ deps: { ...site.deps, config } }, at('one.pdf'));
  expect(refused).toEqual({ code: 1, output: '', errors });
  const [row] = await site.rows('letters', {}, ['printed_on']);
  expect(row?.printed_on).toBeNull();
});

test('does not print a letter that its doctor no longer needs', async ({ site, at }) => {
  const [first] = await waiting(site, 2);
  const verify = ['doctors', 'verify', first?.userId ?? '', '--reason', 'Saw the license'];
  expect((await curbside(site, verify)).errors).toBe('');
  await print(site, at('one.pdf'));
  expect(await codesIn(at('one.pdf'))).toHaveLength(1);
});

test('all kinds of names and long addresses fit the window', async ({ site, at }) => {
  const STREET = '1200 WRENFIELD NORTH MEDICAL OFFICE BUILDING AVENUE 00000';
  const practice = {
    lines: [STREET, 'DEPARTMENT OF ANESTHESIOLOGY — BOX №604'],
    ...{ city: 'SAINT-JÉRÔME DE LA CONCEPTION', state: 'NY', postal_code: '14642' },
  };
  const names = [{ first: 'Łucja Ångström', last: 'Nguyễn-O’Brien' }];
  const npi = npiRegistry.numberOf({ ...PERSON, names, practice });
  await (await matchedDoctor(site, { npi })).orderLetter();
  await print(site, at('one.pdf'));
  const text = (await pagesOf(at('one.pdf')))[0]?.replaceAll('\n', ' ');
  for (const part of [
    "LUCJA ANGSTROM NGUYEN-O'BRIEN",
    STREET,
    'DEPARTMENT OF ANESTHESIOLOGY - BOX NO604',
    'SAINT-JEROME DE LA CONCEPTION NY 14642',
  ]) {
    expect(text).toContain(part);
  }
  const { getDocumentProxy } = await import('unpdf');
  const document = await getDocumentProxy(new Uint8Array(await readFile(at('one.pdf'))));
  const page = await document.getPage(1);
  const [, , width, height] = page.view;
  expect([width, height]).toEqual([612, 792]);
  const { items } = await page.getTextContent();
  const placed = items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [, , , , x, y] = item.transform;
    const bottom = 792 - y;
    return [{ text: item.str, x, bottom, top: bottom - item.height, right: x + item.width }];
  });
  // Only the address can show in the window.
  const inWindow = placed.filter(
    ({ top, bottom, x }) => bottom > 2.25 * 72 && top < 3.625 * 72 && x < 5.375 * 72,
  );
  expect(inWindow.map(({ text }) => text).join(' ')).toMatch(/^LUCJA .* 14642$/);
  for (const { x, right, top, bottom } of inWindow) {
    // It is visible wherever the sheet lies in the envelope.
    expect(x).toBeGreaterThanOrEqual(1 * 72);
    expect(right).toBeLessThanOrEqual(4.375 * 72);
    expect(top).toBeGreaterThanOrEqual(2.5 * 72);
    expect(bottom).toBeLessThanOrEqual(3.375 * 72);
  }
});
