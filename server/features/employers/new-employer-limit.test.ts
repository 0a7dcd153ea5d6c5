import { expect, test } from 'vitest';
import { toMinute } from '#server/anonymity/coarse-time.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import {
  newEmployer,
  reviewOf,
  signedInDoctor,
  type TestAccount,
} from '#server/testing/factories.ts';

const add = ({ app }: TestApp, { headers }: TestAccount, name: string) =>
  app.inject({ method: 'POST', url: '/api/employers/custom/', headers, payload: { name } });

test('an account can add five new employers a day, even with simultaneous requests', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 1 } });
  const doctor = await signedInDoctor(server);
  const names = Array.from({ length: 20 }, (_, at) => `Clinic number ${at}`);
  const answers = await Promise.all(names.map((name) => add(server, doctor, name)));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5);
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(15);
  const { count } = (await server.app.inject('/api/employers/')).json();
  expect(count).toBe(5);
});

test('rejects a review that names a sixth with the reason, but existing employers do not count', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 1 } });
  const doctor = await signedInDoctor(server);
  const post = (name: string, title: string) =>
    server.app.inject({
      method: 'POST',
      url: '/api/reviews/',
      headers: doctor.headers,
      payload: reviewOf(0, { employer: name, is_custom_employer: 'true', position_title: title }),
    });
  await newEmployer(server, { name: 'Known Hospital' });
  for (let at = 0; at < 8; at += 1) {
    expect((await add(server, doctor, 'known hospital')).statusCode).toBe(200);
  }
  for (let at = 0; at < 5; at += 1) {
    expect((await post(`Clinic ${at}`, 'Fellow')).statusCode).toBe(201);
  }
  const refused = await post('Clinic 6', 'Fellow');
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.json().detail).toMatch(/^You can add up to 5 new employers a day\. /);
  expect((await post('Clinic 1', 'Resident')).statusCode).toBe(201);
  expect((await post('known hospital', 'Resident')).statusCode).toBe(201);
});

test('counts a new employer when its review is scheduled, and not again when it goes live', async () => {
  await using server = await buildTestApp({ config: { rateLimitFactor: 1 } });
  const { app, deps, jobs, time } = server;
  const doctor = await signedInDoctor(server);
  const call = (method: 'POST' | 'DELETE', url: string, payload?: object) =>
    app.inject({
      method,
      url: `/api/reviews/${url}`,
      headers: doctor.headers,
      ...(payload && { payload }),
    });
  const write = async (name: string, title: string, publish: 'now' | 'later') =>
    call(
      'POST',
      '',
      reviewOf(0, { employer: name, is_custom_employer: 'true', position_title: title, publish }),
    );
  const ids: string[] = [];
  for (let at = 0; at < 4; at += 1) {
    const answer = await write(`Clinic ${at}`, 'Fellow', 'later');
    expect(answer.statusCode).toBe(201);
    ids.push(answer.json().id);
  }
  // An employer named before and a rejected one do not count.
  expect((await write('CLINIC 0', 'Resident', 'later')).statusCode).toBe(201);
  expect((await write('Clinic-1', 'Resident', 'now')).statusCode).toBe(201);
  expect((await write('Clinic 2', 'Fellow', 'later')).statusCode).toBe(400);
  // One goes live immediately, one at its minute, and one never.
  expect((await call('POST', `${ids[2]}/publish/`)).statusCode).toBe(200);
  await deps.db
    .updateTable('scheduled_reviews')
    .set({ publish_at: toMinute(time.now) })
    .where('id', '=', ids[3] ?? '')
    .execute();
  await deps.jobs.enqueue(deps.db, 'reviews-due', {});
  await jobs.idle();
  expect((await app.inject('/api/reviews/')).json().count).toBe(3);
  expect((await call('DELETE', `${ids[0]}/`)).statusCode).toBe(204);

  expect((await write('Clinic 5', 'Fellow', 'later')).statusCode).toBe(201);
  const refused = await write('Clinic 6', 'Fellow', 'later');
  expect(refused.statusCode).toBe(429);
  expect(refused.json().detail).toMatch(/^You can add up to 5 new employers a day\. /);
  expect((await add(server, doctor, 'Clinic 6')).statusCode).toBe(429);
  const own = await app.inject({ url: '/api/reviews/my_reviews/', headers: doctor.headers });
  expect(own.json()).toHaveLength(6);
});
