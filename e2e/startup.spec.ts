import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import { makeDataDir, ROOT, startServer } from './server.ts';

/** Runs the server with settings that it should refuse. */
async function refusal(env: Record<string, string>) {
  const child = spawn('node_modules/.bin/node', ['server/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...env },
  });
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: child.exitCode, out, lines: err.trimEnd().split('\n') };
}

test.describe('refuses to start, in one line per fault', () => {
  test('with a bad setting', async () => {
    const { code, lines } = await refusal({ PORT: 'http' });
    expect(code).toBe(1);
    expect(lines).toEqual(['curbside: PORT: must be a port']);
  });

  test('in production without its secrets', async () => {
    const { code, lines } = await refusal({ NODE_ENV: 'production' });
    expect(code).toBe(1);
    expect(lines.length).toBeGreaterThanOrEqual(7);
    for (const line of lines)
      expect(line).toMatch(/^curbside: [A-Z_]+: must be set in production$/);
  });

  test('on a port that is taken, leaving the server that has it alone', async () => {
    const server = await startServer();
    try {
      const { port } = new URL(server.url);
      const { code, lines } = await refusal({
        PORT: port,
        DATA_DIR: server.dataDir,
        LOG_LEVEL: 'silent',
      });
      expect(code).toBe(1);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^curbside: .*EADDRINUSE.*set PORT to another$/);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    } finally {
      await server.stop();
    }
  });
});

test('a second start is ready within 4 s and finds all that was there, kill -9 or not', async () => {
  const dataDir = await makeDataDir();
  try {
    const first = await startServer({ dataDir });
    const before = await (await fetch(`${first.url}/api/reviews/?page_size=1`)).json();
    first.process.kill('SIGKILL');
    await once(first.process, 'exit');

    const started = performance.now();
    const second = await startServer({ dataDir });
    const seconds = (performance.now() - started) / 1000;
    const after = await (await fetch(`${second.url}/api/reviews/?page_size=1`)).json();
    await second.stop();
    expect(after).toEqual(before);
    expect(seconds).toBeLessThan(4);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('finishes what is in flight when it is told to stop', async () => {
  const server = await startServer();
  const body = JSON.stringify({ email: 'doctor@curbside.example', password: 'Curbside-demo-1' });
  const headers = { 'content-type': 'application/json' };
  const logIns = Array.from({ length: 8 }, () =>
    fetch(`${server.url}/api/auth/login/`, { method: 'POST', headers, body }),
  );
  // One has been answered: the others are in.
  await Promise.race(logIns);
  const exited = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  const answers = await Promise.all(logIns);
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  await exited;
  expect(server.process.exitCode).toBe(0);
  await server.stop();
});
