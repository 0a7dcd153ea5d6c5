import { expect, test } from 'vitest';
import { AppError } from '#server/errors/app-error.ts';
import { TEST_CONFIG } from '#server/testing/app.ts';
import { HASHES_WAITING_MAX, hashPassword } from './passwords.ts';

const hash = () => hashPassword({ config: TEST_CONFIG }, 'Abc-1234');

test('rejects passwords when the queue is full, and says when to retry', async () => {
  const asked = Array.from({ length: HASHES_WAITING_MAX + 20 }, hash);
  const results = await Promise.allSettled(asked);
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(20);
  for (const { reason } of refused) {
    expect(reason).toBeInstanceOf(AppError);
    expect(reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  }
  expect((await hash()).hash).toMatch(/^\$argon2id\$/);
});
