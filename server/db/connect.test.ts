import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createTestDatabase, openTestDatabase } from '#server/testing/database.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { awaitDatabase } from './connect.ts';
import { openDatabase } from './open.ts';

const soon = (lines: string[], limitMs = 10_000) => ({
  onTry: (line: string) => void lines.push(line),
  pauseMs: 20,
  limitMs,
});

test('waits for a database that does not exist yet, with one line per attempt', async () => {
  const name = `test_late_${randomBytes(4).toString('hex')}`;
  await using late = openTestDatabase(name);
  await using other = await createTestDatabase();
  const { template } = inject('testServer');
  const lines: string[] = [];
  const ready = awaitDatabase(late.pool, soon(lines, 60_000));
  await expect.poll(() => lines.length).toBeGreaterThan(1);
  await other.pool.query(`create database ${name} template ${template}`);
  await ready;
  expect(lines[0]).toMatch(/^waiting for the database \(it does not exist\), for \d+ s more$/);
});

test('waits for a server that does not respond, and eventually gives up', async () => {
  const pool = new pg.Pool({ host: '127.0.0.1', port: 1 });
  onTestFinished(() => pool.end());
  const lines: string[] = [];
  await expect(awaitDatabase(pool, soon(lines, 1000))).rejects.toThrow('ECONNREFUSED');
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.join()).not.toContain('127.0.0.1');
});

test('waits for a server that accepts connections but never responds, with one line per attempt', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const database = openDatabase({ host: '127.0.0.1', port }, () => {});
  onTestFinished(async () => {
    await database.close();
    silent.close();
  });
  const { pool } = database.background;
  expect(pool.options.connectionTimeoutMillis).toBe(TIME_OUTS.backgroundConnection.ms);
  pool.options.connectionTimeoutMillis = 50;
  const lines: string[] = [];
  await expect(awaitDatabase(pool, soon(lines, 1000))).rejects.toThrow(/timeout/);
  expect(lines.length).toBeGreaterThan(0);
});

test('waits for a server that has no free connections', async () => {
  const full = Object.assign(new Error('too many clients'), { code: '53300' });
  const answers = [Promise.reject(full), Promise.resolve({ rows: [{ standby: false }] })];
  const pool = { query: () => answers.shift() } as unknown as pg.Pool;
  const lines: string[] = [];
  await awaitDatabase(pool, soon(lines));
  expect(lines).toEqual([expect.stringContaining('(it has no connections left)')]);
});

test('waits for a standby to be promoted', async () => {
  const answers = [{ standby: true }, { standby: true }, { standby: false }];
  const pool = { query: async () => ({ rows: [answers.shift()] }) } as unknown as pg.Pool;
  const lines: string[] = [];
  await awaitDatabase(pool, soon(lines));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain('(it is a standby)');
});

test('does not wait after a wrong password', async () => {
  const wrong = Object.assign(new Error('no'), { code: '28P01' });
  const pool = { query: () => Promise.reject(wrong) } as unknown as pg.Pool;
  const lines: string[] = [];
  await expect(awaitDatabase(pool, soon(lines))).rejects.toBe(wrong);
  expect(lines).toEqual([]);
});
