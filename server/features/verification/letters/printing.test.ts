import { writeFileSync } from 'node:fs';
import { access, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DAY_MS } from '#contract/limits.ts';
import { curbside } from '#server/cli/testing/curbside.ts';
import type { TestApp } from '#server/testing/app.ts';
import {
  answering,
  matchedDoctor,
  PERSON,
  proofServer,
  verification,
} from '#server/testing/matched-doctor.ts';
import { codeOn, newFolder, pagesOf } from '../testing/printed-letters.ts';

async function withWaiting(count: number, server?: TestApp) {
  const site = server ?? (await proofServer());
  const first = await matchedDoctor(site);
  await verification(site, first, 'letter/', {});
  for (let at = 1; at < count; at += 1) {
    await verification(site, await matchedDoctor(site), 'letter/', {});
  }
  return { server: site, first };
}
const print = (server: TestApp, file: string, ...more: string[]) =>
  curbside(server, ['letters', 'print', file, ...more]);
const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );
const codesIn = async (file: string) =>
  (await pagesOf(file)).map((page) => codeOn(page)).toSorted();
const acts = async ({ deps }: TestApp) =>
  await deps.db.selectFrom('audit_log').select(['actor', 'action', 'subject', 'details']).execute();

test('prints every letter once, on its own page', async () => {
  const { server, first: doctor } = await withWaiting(3);
  const at = await newFolder();
  expect(await print(server, at('one.pdf'))).toMatchObject({
    output: `${at('one.pdf')} has 3 letters.\n`,
  });
  const codes = await codesIn(at('one.pdf'));
  expect(new Set(codes).size).toBe(3);
  expect(await print(server, at('two.pdf'))).toEqual({
    code: 0,
    output: 'No letters are waiting.\n',
    errors: '',
  });
  expect(await isThere(at('two.pdf'))).toBe(false);
  // Each code belongs to one doctor.
  const right = [];
  for (const code of codes) {
    const answer = await verification(server, doctor, 'letter/confirm/', { code });
    if (answer.statusCode === 200) right.push(code);
  }
  expect(right).toHaveLength(1);
  expect(await acts(server)).toEqual([
    { actor: 'cli', action: 'letters.print', subject: 'letters', details: { count: 3 } },
  ]);
});

test('simultaneous print commands print each letter once', async () => {
  const { server } = await withWaiting(12);
  const at = await newFolder();
  const files = [at('a.pdf'), at('b.pdf'), at('c.pdf')];
  const printed = await Promise.all(files.map((file) => print(server, file)));
  for (const { code, errors } of printed) expect([code, errors]).toEqual([0, '']);
  const made = [];
  for (const file of files) if (await isThere(file)) made.push(...(await codesIn(file)));
  expect(made).toHaveLength(12);
  expect(new Set(made).size).toBe(12);
});

test('two print commands with the same file lose nothing', async () => {
  const { server } = await withWaiting(6);
  const at = await newFolder();
  const printed = await Promise.all([1, 2].map(() => print(server, at('one.pdf'))));
  const made = await codesIn(at('one.pdf'));
  if (printed.some(({ code }) => code === 1)) {
    await print(server, at('again.pdf'), '--again', server.time.now.toISOString().slice(0, 10));
    expect(await codesIn(at('again.pdf'))).toHaveLength(6);
  } else {
    expect(made).toHaveLength(6);
  }
});

test('reprints letters only on request, by day, with the same code and last day', async () => {
  const { server } = await withWaiting(2);
  const at = await newFolder();
  const today = server.time.now.toISOString().slice(0, 10);
  await print(server, at('one.pdf'));
  server.time.now = new Date(server.time.now.getTime() + 5 * DAY_MS);
  await withWaiting(1, server);
  expect(await print(server, at('again.pdf'), '--again', today)).toMatchObject({ code: 0 });
  expect(await pagesOf(at('again.pdf'))).toEqual(await pagesOf(at('one.pdf')));
  expect(await print(server, at('none.pdf'), '--again', '2020-01-01')).toMatchObject({
    output: 'No letter from 2020-01-01 can be printed again.\n',
  });
  expect((await print(server, at('none.pdf'), '--again', 'yesterday')).code).toBe(1);
  // The later letter is still waiting.
  await print(server, at('later.pdf'));
  expect(await codesIn(at('later.pdf'))).toHaveLength(1);
  server.time.now = new Date(server.time.now.getTime() + 26 * DAY_MS);
  expect((await print(server, at('none.pdf'), '--again', today)).output).toContain('No letter');
});

test('never overwrites a file, and letters that could not be written can be printed again', async () => {
  const { server } = await withWaiting(1);
  const at = await newFolder();
  await writeFile(at('kept.pdf'), 'kept');
  expect(await print(server, at('kept.pdf'))).toMatchObject({
    code: 1,
    errors: `curbside: ${at('kept.pdf')} already exists\n`,
  });
  expect(await readFile(at('kept.pdf'), 'utf8')).toBe('kept');
  const today = server.time.now.toISOString().slice(0, 10);
  const nowhere = await print(server, at('missing/letters.pdf'));
  expect(nowhere.code).toBe(1);
  expect(nowhere.errors).not.toContain('--again');
  expect((await print(server, at('letters.pdf'))).output).toContain('1 letter.');
  expect((await print(server, at('again.pdf'), '--again', today)).code).toBe(0);
  expect((await readdir(path.dirname(at('x')))).toSorted()).toEqual([
    'again.pdf',
    'kept.pdf',
    'letters.pdf',
  ]);
});

test('keeps a file that appears in the meantime, and its letters can be printed again', async () => {
  const { server } = await withWaiting(1);
  const at = await newFolder();
  const day = server.time.now.toISOString().slice(0, 10);
  const clock = () => {
    writeFileSync(at('one.pdf'), 'kept');
    return server.time.now;
  };
  const failed = await print({ ...server, deps: { ...server.deps, clock } }, at('one.pdf'));
  expect(failed.code).toBe(1);
  expect(failed.errors).toContain(`run this again with --again ${day}`);
  expect(await readFile(at('one.pdf'), 'utf8')).toBe('kept');
  expect((await print(server, at('two.pdf'))).output).toBe('No letters are waiting.\n');
  expect((await print(server, at('two.pdf'), '--again', day)).output).toContain('1 letter.');
  expect((await readdir(path.dirname(at('x')))).toSorted()).toEqual(['one.pdf', 'two.pdf']);
});

test('only its owner can read the file, and its metadata contain only the day', async () => {
  const { server } = await withWaiting(2);
  const at = await newFolder();
  await print(server, at('one.pdf'));
  expect((await stat(at('one.pdf'))).mode & 0o777).toBe(0o600);
  const { getDocumentProxy, getMeta } = await import('unpdf');
  const bytes = await readFile(at('one.pdf'));
  const { info } = await getMeta(await getDocumentProxy(new Uint8Array(bytes)));
  const day = server.time.now.toISOString().slice(0, 10).replaceAll('-', '');
  expect(info).toMatchObject({
    CreationDate: `D:${day}000000Z`,
    ModDate: `D:${day}000000Z`,
    Producer: '',
    Creator: '',
  });
  for (const name of ['Title', 'Author', 'Subject', 'Keywords']) expect(info[name]).toBeUndefined();
});

test('without a sender, prints one line that says what to set, and marks nothing', async () => {
  const { server } = await withWaiting(1, await proofServer({ config: { letterSender: null } }));
  const at = await newFolder();
  expect(await print(server, at('one.pdf'))).toEqual({
    code: 1,
    output: '',
    errors: 'curbside: LETTER_SENDER: must be set to print letters\n',
  });
  const [row] = await server.deps.db.selectFrom('letters').select('printed_on').execute();
  expect(row?.printed_on).toBeNull();
});

test('does not print a letter that its doctor no longer needs', async () => {
  const { server, first } = await withWaiting(2);
  const verify = ['doctors', 'verify', first.userId, '--reason', 'Saw the license'];
  expect((await curbside(server, verify)).errors).toBe('');
  const at = await newFolder();
  await print(server, at('one.pdf'));
  expect(await codesIn(at('one.pdf'))).toHaveLength(1);
});

test('all kinds of names and long addresses fit the window', async () => {
  const practice = {
    lines: [
      '1200 WRENFIELD NORTH MEDICAL OFFICE BUILDING AVENUE 00000',
      'DEPARTMENT OF ANESTHESIOLOGY — BOX №604',
    ],
    city: 'SAINT-JÉRÔME DE LA CONCEPTION',
    state: 'NY',
    postal_code: '14642',
  };
  const names = [{ first: 'Łucja Ångström', last: 'Nguyễn-O’Brien' }];
  const { server } = await withWaiting(
    1,
    await proofServer({ npiRegistry: answering({ ...PERSON, names, practice }) }),
  );
  const at = await newFolder();
  await print(server, at('one.pdf'));
  const text = (await pagesOf(at('one.pdf')))[0]?.replaceAll('\n', ' ');
  for (const part of [
    "LUCJA ANGSTROM NGUYEN-O'BRIEN",
    '1200 WRENFIELD NORTH MEDICAL OFFICE BUILDING AVENUE 00000',
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
  const placed = items.flatMap((item) =>
    'str' in item && item.str.trim() !== ''
      ? [
          {
            text: item.str,
            x: item.transform[4],
            top: 792 - item.transform[5] - item.height,
            right: item.transform[4] + item.width,
            bottom: 792 - item.transform[5],
          },
        ]
      : [],
  );
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
