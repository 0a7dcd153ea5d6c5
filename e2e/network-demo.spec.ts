import { rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import type { Target } from '#contract/endpoint.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { sessionEndpoints } from '#contract/endpoints/session.ts';
import { freePort } from '#server/testing/free-port.ts';
import { DEMO, PASSWORD, tokensFor } from './account.ts';
import { expect, LONG, test } from './fixtures.ts';
import { newPoster } from './review.ts';
import { preparedDataDir, startServer, type TestServer } from './server.ts';

async function statusOf(server: TestServer, { path }: Target, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return (await fetch(`${server.url}/api${path}`, init)).status;
}
const logIn = (server: TestServer, email: string, password: string) =>
  statusOf(server, sessionEndpoints.login, { email, password });

/** The password that the startup message prints next to an account. */
function printedPassword({ greeting }: TestServer, email: string): string {
  const password = new RegExp(`^ +${email} +(\\S+) `, 'm').exec(greeting)?.[1];
  if (!password) throw new Error(`no password for ${email} in:\n${greeting}`);
  return password;
}

test(
  'DEMO_ON_NETWORK=yes replaces the published passwords and keeps /dev/ on loopback',
  LONG,
  async () => {
    test.slow();
    const dataDir = await preparedDataDir();
    const start = (env: Record<string, string> = {}) => startServer({ dataDir, env });
    try {
      // Seeded with the published password, which someone has used.
      const local = await start();
      expect(local.greeting).toContain(PASSWORD);
      const { refresh } = await tokensFor(local, DEMO.admin);
      local.process.kill('SIGKILL');

      const DEV_PORT = String(await freePort());
      const shown = await start({ DEMO_ON_NETWORK: 'yes', DEV_PORT });
      expect(shown.devUrl).toBe(`http://localhost:${DEV_PORT}`);
      expect(shown.greeting).not.toContain(PASSWORD);
      for (const email of Object.values(DEMO)) {
        expect(await logIn(shown, email, PASSWORD)).toBe(401);
        expect(await logIn(shown, email, printedPassword(shown, email))).toBe(200);
      }
      expect(await statusOf(shown, sessionEndpoints.refresh, { refresh })).toBe(401);

      for (const page of ['mail', 'mail/messages', 'registry', 'registry/sample']) {
        expect((await fetch(`${shown.url}/dev/${page}`)).status, page).toBe(404);
        expect((await fetch(`${shown.devUrl}/dev/${page}`)).status, page).toBe(200);
      }
      expect((await fetch(`${shown.devUrl}/api${employerEndpoints.list.path}`)).status).toBe(404);
      // Mail and the sample registry work over that port.
      await newPoster(shown);
      const file = path.join(dataDir, 'demo-passwords.json');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      shown.process.kill('SIGKILL');

      const localAgain = await start();
      const password = printedPassword(localAgain, DEMO.admin);
      expect(password).toBe(printedPassword(shown, DEMO.admin));
      expect(await logIn(localAgain, DEMO.admin, password)).toBe(200);
      expect(await logIn(localAgain, DEMO.admin, PASSWORD)).toBe(401);
      await localAgain.stop();
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);

test('another site cannot read /dev/ through a host name', async ({ server }) => {
  const { hostname, port } = new URL(server.url);
  const status = await new Promise((resolve, reject) => {
    request({ hostname, port, path: '/dev/mail', headers: { host: 'evil.example' } })
      .on('response', (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(404);
});
