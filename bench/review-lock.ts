/**
 * Measures how much the review lock slows down its author: `npm run bench:lock -- --blocks 10`. One
 * account logs in, lists its reviews, and posts and deletes one, alternately unlocked and locked.
 */
import { parseArgs } from 'node:util';
import type * as z from 'zod/mini';
import type { LoginResponse, Tokens } from '#contract/accounts.ts';
import type { EmployerPage } from '#contract/employers.ts';
import { newRecoveryCode } from '#contract/recovery-code.ts';
import type { Review } from '#contract/reviews.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '#server/demo/passwords.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { startServer } from '../e2e/server.ts';
import { type Figure, median, tableOf } from './figures.ts';

const { values } = parseArgs({ options: { blocks: { type: 'string', default: '10' } } });
const BLOCKS = Number(values.blocks);
const ROUNDS = 20;
/** The largest allowed ratio of locked to unlocked. */
const MAX_RATIO = 1.1;
const ACTIONS = ['login', 'dashboard', 'review'] as const;

type Times = Record<(typeof ACTIONS)[number], number[]>;
const noTimes = (): Times => ({ login: [], dashboard: [], review: [] });

const email = DEMO_ACCOUNTS[0]?.email ?? '';
const password = DEMO_PASSWORD;
const server = await startServer({ env: { RATE_LIMIT_FACTOR: '1000000' } });

async function call<T>(method: string, path: string, access: string, payload?: object): Promise<T> {
  const answer = await fetch(`${server.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${access}`,
      ...(payload && { 'content-type': 'application/json' }),
    },
    ...(payload && { body: JSON.stringify(payload) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (answer.status === 204 ? null : await answer.json()) as T;
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  const done = await work();
  times.push(performance.now() - began);
  return done;
}

async function rounds(times: Times, employer: number): Promise<Tokens> {
  let tokens: Tokens | undefined;
  for (let round = 0; round < ROUNDS; round += 1) {
    const login = () => call<LoginResponse>('POST', '/auth/login/', '', { email, password });
    const { access, refresh } = await timed(times['login'], login);
    await timed(times.dashboard, () => call('GET', '/reviews/my_reviews/', access));
    const review = reviewOf(employer, { position_title: `Bench ${round}` });
    const { id } = await timed(times.review, () =>
      call<Review>('POST', '/reviews/', access, review),
    );
    await call('DELETE', `/reviews/${id}/`, access);
    tokens = { access, refresh };
  }
  if (!tokens) throw new Error('no rounds');
  return tokens;
}

try {
  const page = await fetch(`${server.url}/api/employers/`);
  const employer = ((await page.json()) as z.infer<typeof EmployerPage>).results[0]?.id ?? 0;
  await rounds(noTimes(), employer);
  const [open, locked] = [noTimes(), noTimes()];
  for (let block = 0; block < BLOCKS; block += 1) {
    const { access } = await rounds(open, employer);
    const recovery_code = newRecoveryCode();
    await call('POST', '/auth/reviews/lock/', access, { password, recovery_code });
    const after = await rounds(locked, employer);
    await call('POST', '/auth/reviews/unlock/', after.access, { password });
  }
  const figures = ACTIONS.map((action): Figure => {
    const [before, after] = [median(open[action]), median(locked[action])];
    return {
      what: `${action} of a locked account, relative to an unlocked one (median)`,
      measured: after / before,
      target: { atMost: MAX_RATIO },
      note: `${before.toFixed(1)} and ${after.toFixed(1)} ms`,
    };
  });
  console.log(tableOf(figures));
} finally {
  await server.stop();
}
