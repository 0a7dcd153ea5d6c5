import { link, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '#server/testing/folder.ts';
import { openOutbox } from './outbox.ts';

const clock = () => new Date('2026-03-01T12:00:00Z');
const BODY = { text: 'Résumé', html: '<p>Résumé</p>' };
const mail = (to: string, subject = 'Hello') => ({ to, subject, ...BODY });

test('lists mail newest first, for one address if given, and after a restart', async () => {
  const dataDir = newFolder();
  const outbox = await openOutbox(dataDir, clock);
  expect(await outbox.list()).toEqual([]);
  await outbox.send(mail('a@example.test', 'one'));
  await outbox.send(mail('b@example.test', 'two'));
  await outbox.send(mail('a@example.test', 'three'));

  const restarted = await openOutbox(dataDir, clock);
  for (const either of [outbox, restarted]) {
    const all = await either.list();
    expect(all.map(({ subject }) => subject)).toEqual(['three', 'two', 'one']);
    const kept = { id: expect.any(String), sent_at: '2026-03-01T12:00:00.000Z' };
    expect(all[0]).toEqual({ ...mail('a@example.test', 'three'), ...kept });
    const toA = await either.list('A@Example.test');
    expect(toA.map(({ subject }) => subject)).toEqual(['three', 'one']);
  }
});

test('only the owner can read the files', async () => {
  const dataDir = newFolder();
  const outbox = await openOutbox(path.join(dataDir, 'data'), clock);
  await outbox.send(mail('a@example.test'));
  const folder = path.join(dataDir, 'data', 'outbox');
  const [file = ''] = await readdir(folder);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(path.join(folder, file))).mode & 0o777).toBe(0o600);
});

test('keeps all mail that two servers send at once', async () => {
  const dataDir = newFolder();
  const servers = [await openOutbox(dataDir, clock), await openOutbox(dataDir, clock)] as const;
  const subjects = Array.from({ length: 30 }, (_, index) => `mail ${index}`);
  const send = (subject: string, at: number) =>
    servers[at % 2 ? 0 : 1].send(mail('a@b.test', subject));
  await Promise.all(subjects.map(send));
  const kept = await servers[0].list();
  expect(kept.map(({ subject }) => subject).toSorted()).toEqual(subjects.toSorted());
  expect(new Set(kept.map(({ id }) => id)).size).toBe(30);
});

test('keeps the newest 500 and deletes half-written files', async () => {
  const dataDir = newFolder();
  const outbox = await openOutbox(dataDir, clock);
  const folder = path.join(dataDir, 'outbox');
  const fileOf = (number: number) => path.join(folder, `${String(number).padStart(9, '0')}.json`);
  await outbox.send(mail('a@b.test', 'mail 1'));
  // Sending all of them would take seconds.
  for (let number = 2; number <= 500; number += 1) await link(fileOf(1), fileOf(number));
  for (const number of [501, 502, 503]) await outbox.send(mail('a@b.test', `mail ${number}`));
  await writeFile(path.join(folder, 'killed.draft'), '{"to":');

  const kept = await (await openOutbox(dataDir, clock)).list();
  expect(kept).toHaveLength(500);
  const newest = kept.slice(0, 3).map(({ subject }) => subject);
  expect(newest).toEqual(['mail 503', 'mail 502', 'mail 501']);
  expect(kept.at(-1)?.id).toBe('000000004');
  expect(await readdir(folder)).toHaveLength(500);
});
