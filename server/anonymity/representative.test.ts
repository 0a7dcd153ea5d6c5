import { expect } from 'vitest';
import { replyDecisionEndpoints, replyEndpoints } from '#contract/endpoints/replies.ts';
import { test } from '#server/testing/site.ts';

test('removed replies have no field and no order that depends on an author', async ({ site }) => {
  const employer = await site.employer();
  const speaker = site.as(await site.representative(employer));
  const moderator = site.as(await site.admin());
  const ids: string[] = [];
  while (ids.length < 6) {
    const { id } = await site.review({ at: employer });
    const params = { id };
    await speaker.post(replyEndpoints.create, { text: 'Who are you?' }, { params });
    const decision = { reason: 'Asks who wrote it.', rule: 'asking_who' } as const;
    await moderator.post(replyDecisionEndpoints.remove, decision, { params });
    ids.push(id);
  }
  const { body: removed, text } = await speaker.get(replyEndpoints.listRemoved);
  expect(removed.map(({ review_id }) => review_id)).toEqual(ids.toSorted());
  const fields = ['decided_on', 'reason', 'review_id', 'rule', 'text'];
  for (const reply of removed) expect(Object.keys(reply).toSorted()).toEqual(fields);
  // No time finer than a day.
  expect(text).not.toMatch(/\d{2}:\d{2}/);
});
