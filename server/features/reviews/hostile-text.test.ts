import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { expect, test } from '#server/testing/site.ts';

test('a review of 1,667 a, 3,332 spaces and an x blocks less than 200 ms', async ({ site }) => {
  const [author, employer] = [site.as(await site.doctor()), await site.employer()];
  const post = (review_text: string) => {
    const position_title = review_text.slice(0, 9);
    return author.post(reviewEndpoints.create, reviewOf(employer, { review_text, position_title }));
  };
  // The first request loads and compiles shared code.
  await post('Good colleagues.');
  const before = process.threadCpuUsage();
  const { status } = await post(`${'a'.repeat(1667)}${' '.repeat(3332)}x`);
  // CPU time of this thread, which other programs do not affect.
  const { user, system } = process.threadCpuUsage(before);
  expect(status).toBe(201);
  expect((user + system) / 1000).toBeLessThan(200);
});
