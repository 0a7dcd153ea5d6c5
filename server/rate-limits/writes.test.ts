import { expect, test } from 'vitest';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer, reviewOf, signedInDoctor } from '#server/testing/factories.ts';

test("counts authors' writes per account, whatever their network address", async () => {
  // 1/30 of the limits: two reviews an hour per account.
  await using server = await buildTestApp({ config: { rateLimitFactor: 1 / 30 } });
  const employer = await newEmployer(server);
  const post = async (headers: { authorization: string }, title: string) => {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/reviews/',
      headers,
      payload: reviewOf(employer, { position_title: title }),
    });
    return answer.statusCode;
  };
  const statuses = [];
  for (let doctor = 0; doctor < 8; doctor += 1) {
    const { headers } = await signedInDoctor(server);
    for (const title of ['Fellow', 'Resident', 'Hospitalist']) {
      statuses.push(await post(headers, title));
    }
  }
  expect(statuses).toEqual(Array(8).fill([201, 201, 429]).flat());
});
