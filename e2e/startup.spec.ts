import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { DEMO, PASSWORD } from './account.ts';
import { expect, LONG, test } from './fixtures.ts';
import { makeDataDir, preparedDataDir, ROOT, startServer, type TestServer } from './server.ts';

/** Runs the server with settings that it should reject. */
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

/** The processor time that a process and its ended children have used (proc(5)). */
async function cpuTicks(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const times = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 16);
  return times.reduce((sum, ticks) => sum + Number(ticks), 0);
}

/** Sends the head of a request. Returns a function that sends the body and returns the status. */
async function beginLogIn({ url }: TestServer): Promise<() => Promise<number | undefined>> {
  const logIn = request(`${url}/api/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', expect: '100-continue' },
  });
  logIn.flushHeaders();
  await once(logIn, 'continue');
  return async () => {
    logIn.end(JSON.stringify({ email: DEMO.doctor, password: PASSWORD }));
    const [answer] = (await once(logIn, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
}

test.describe('refuses to start, with one line per error', () => {
  test('with an invalid setting', async () => {
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

  test('on a port in use, and leaves the server there alone', async ({ server }) => {
    const { port } = new URL(server.url);
    const { code, lines } = await refusal({
      PORT: port,
      DATA_DIR: server.dataDir,
      LOG_LEVEL: 'silent',
    });
    expect(code).toBe(1);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^curbside: .*EADDRINUSE.*set PORT to another port$/);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  });
});

test(
  'a second start finds all data, even after kill -9, and is faster than the first',
  LONG,
  async () => {
    const dataDir = await makeDataDir();
    const timed = async () => {
      const server = await startServer({ dataDir });
      return { server, took: await cpuTicks(server.process.pid) };
    };
    try {
      const first = await timed();
      const before = await (await fetch(`${first.server.url}/api/reviews/?page_size=1`)).json();
      first.server.process.kill('SIGKILL');
      await once(first.server.process, 'exit');

      const second = await timed();
      const after = await (await fetch(`${second.server.url}/api/reviews/?page_size=1`)).json();
      await second.server.stop();
      expect(after).toEqual(before);
      // Absolute times would depend on the machine. Without repeated work, it takes a third.
      expect(second.took).toBeLessThan(first.took);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);

test('finishes requests in progress before it stops', LONG, async () => {
  const server = await startServer({ dataDir: await preparedDataDir() });
  const logIns = await Promise.all(Array.from({ length: 8 }, () => beginLogIn(server)));
  const exited = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  expect(await Promise.all(logIns.map((end) => end()))).toEqual(Array(8).fill(200));
  await exited;
  expect(server.process.exitCode).toBe(0);
  await server.stop();
});

test('npm start ends together with its server', LONG, async () => {
  const server = await startServer({
    dataDir: await preparedDataDir(),
    command: 'npm',
    args: ['start'],
  });
  const ended = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow('fetch failed');
  await server.stop();
});

test('npm run dev renders pages from their sources and serves no other files', LONG, async () => {
  test.slow();
  const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  // Replaces npm's shell, which would not pass a signal on.
  const [exec, node, ...args] = scripts.dev.split(' ');
  expect([exec, node]).toEqual(['exec', 'node']);
  // Inside the checkout, like the default.
  const dataDir = await mkdtemp(path.join(ROOT, 'build/data-'));
  await chmod(dataDir, 0o755);
  // It first bundles what the pages import.
  const server = await startServer({ dataDir, args, waitMs: 300_000 });
  const page = await fetch(`${server.url}/employers`);
  expect(page.status).toBe(200);
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(await page.text()).toContain('>Employers</h1>');

  expect((await fetch(`${server.url}/web/root.tsx`)).status).toBe(200);
  const secrets = path.relative(ROOT, path.join(dataDir, 'secrets.json'));
  for (const file of [secrets, 'server/config/config.ts', 'package.json']) {
    for (const url of [`/${file}`, `/${file}?raw`, `/${file}?import`, `/@fs${ROOT}/${file}`]) {
      const answer = await fetch(server.url + url);
      expect(await answer.text(), url).not.toMatch(/"?sealing"?:|loadConfig|"?scripts"?:/);
    }
  }
  await server.stop();
});
