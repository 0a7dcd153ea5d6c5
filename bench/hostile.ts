/**
 * Measures response times while 16 connections send expensive requests: `npm run bench:hostile --
 * --seconds 20`. Server, load, and probe are separate processes.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type * as z from 'zod/mini';
import type { LoginResponse } from '#contract/accounts/accounts.ts';
import type { EmployerPage } from '#contract/employers/employers.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '#server/demo/passwords.ts';
import { startServer } from '../e2e/server.ts';
import { type Figure, tableOf } from './figures.ts';
import { cpuMs } from './processes.ts';

const TARGET_MS = 100;
/** The probe starts after the load and ends before it. */
const LEAD_S = 2;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const seconds = Number(values.seconds);

const start = (script: string, ...args: (string | number)[]): ChildProcess =>
  fork(path.join(import.meta.dirname, script), args.map(String));

async function resultOf<T>(child: ChildProcess): Promise<T> {
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`exited with ${code}`))),
  ]);
  return message as T;
}

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? Number.NaN;

const server = await startServer({ env: { RATE_LIMIT_FACTOR: '1000000' } });
try {
  const login = await fetch(`${server.url}/api/auth/login/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: DEMO_ACCOUNTS[0]?.email, password: DEMO_PASSWORD }),
  });
  const { access } = (await login.json()) as LoginResponse;
  const employers = await fetch(`${server.url}/api/employers/`);
  const { results } = (await employers.json()) as z.infer<typeof EmployerPage>;
  for (let asked = 0; asked < 2; asked += 1) await (await fetch(`${server.url}/reviews`)).text();

  const pid = server.process.pid ?? 0;
  const before = cpuMs(pid) ?? Number.NaN;
  const load = start('hostile-load.ts', server.url, seconds + LEAD_S, access, results[0]?.id ?? 0);
  const probe = start('hostile-probe.ts', server.url, seconds);
  const [{ times, refused }, statuses] = await Promise.all([
    resultOf<{ times: Record<string, number[]>; refused: number }>(probe),
    resultOf<Record<string, number>>(load),
  ]);

  const used = ((cpuMs(pid) ?? Number.NaN) - before) / 1000;
  const figures = Object.entries(times).map(
    ([what, taken]): Figure => ({
      what: `${what} under hostile load: 99th percentile`,
      measured: percentile(taken, 0.99),
      unit: ' ms',
      target: { atMost: TARGET_MS },
      note: `median ${percentile(taken, 0.5).toFixed(1)} ms, longest ${Math.max(...taken).toFixed(0)} ms, of ${taken.length}`,
    }),
  );
  console.log(tableOf(figures));
  console.log(`\nThe server used ${used.toFixed(1)} s of CPU time in ${seconds + LEAD_S} s.`);
  console.log(`Failed requests of the probe: ${refused}. Responses to the load:`);
  for (const [kind, count] of Object.entries(statuses).sort()) console.log(`  ${kind}: ${count}`);
} finally {
  await server.stop();
}
