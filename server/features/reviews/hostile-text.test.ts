import { expect, test } from 'vitest';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInDoctor } from '#server/testing/factories.ts';

test('a review of 1,667 a, 3,332 spaces and an x blocks the server for less than 200 ms', async () => {
  await using server = await buildTestApp();
  const { headers } = await signedInDoctor(server);
  const employer = await newEmployer(server);
  const post = (review_text: string) =>
    server.app.inject({
      method: 'POST',
      url: '/api/reviews/',
      headers,
      payload: reviewOf(employer, { review_text, position_title: review_text.slice(0, 9) }),
    });
  // The first request loads and compiles shared code.
  await post('Good colleagues.');
  const before = process.threadCpuUsage();
  const answer = await post(`${'a'.repeat(1667)}${' '.repeat(3332)}x`);
  // CPU time of this thread, which other programs do not affect.
  const { user, system } = process.threadCpuUsage(before);
  expect(answer.statusCode).toBe(201);
  expect((user + system) / 1000).toBeLessThan(200);
});
