import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RemovedReply } from '#contract/review-replies.ts';
import { refusalOf } from '#server/features/accounts/testing/account-flows.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { signedInDoctor } from '#server/testing/factories.ts';
import { replyScene } from './testing/replied-review.ts';

let server: TestApp;
let scene: Awaited<ReturnType<typeof replyScene>>;
beforeAll(async () => {
  server = await buildTestApp();
  scene = await replyScene(server);
});
afterAll(() => server[Symbol.asyncDispose]());

const isDone = ({ statusCode }: { statusCode: number }) => statusCode < 300;

/**
 * Three employers, each with a review: the first was merged into the second, whose representative
 * replies to both reviews.
 */
async function merged() {
  const [first, second, third] = [
    await scene.reviewed(),
    await scene.reviewed(),
    await scene.reviewed(),
  ];
  await scene.merge(first.employer, second.employer);
  await scene.write(first.id, second.speaker, 'Of one house.');
  await scene.write(second.id, second.speaker, 'Of our own.');
  return { first, second, third };
}
const textsOf = (...ids: string[]) => Promise.all(ids.map(scene.publicText));

test('after a second merge, the replies stay, and belong to the last employer', async () => {
  const { first, second, third } = await merged();
  await scene.merge(second.employer, third.employer);
  expect(await textsOf(first.id, second.id)).toEqual(['Of one house.', 'Of our own.']);
  for (const { id } of [first, second]) {
    expect(refusalOf(await scene.write(id, third.speaker)).code).toBe('reply_exists');
    expect((await scene.edit(id, third.speaker, 'Of three.')).statusCode).toBe(200);
    expect(await scene.publicText(id)).toBe('Of three.');
  }
  await scene.approve(second.speaker.userId);
  expect((await scene.drop(first.id, second.speaker)).statusCode).toBe(204);
});

test('a reply removed after a second merge is shown to the last employer, and blocks another one', async () => {
  const { first, second, third } = await merged();
  await scene.merge(second.employer, third.employer);
  await scene.decide(first.id, 'remove');
  expect(refusalOf(await scene.write(first.id, third.speaker)).code).toBe('reply_removed');
  const removed = await scene.call('GET', '/reviews/replies/removed/', third.speaker);
  expect(removed.json<RemovedReply[]>().map(({ review_id }) => review_id)).toEqual([first.id]);
});

test.each(['first', 'last'] as const)(
  'undoing a chain of merges, the %s one first, returns to each employer what it wrote',
  async (order) => {
    const [first, second, third] = [
      await scene.reviewed(),
      await scene.reviewed(),
      await scene.reviewed(),
    ];
    await scene.write(first.id, first.speaker, 'By the first.');
    await scene.merge(first.employer, second.employer);
    const other = await scene.posted(first.employer);
    await scene.write(other, second.speaker, 'Of one house.');
    await scene.write(second.id, second.speaker, 'By the second.');
    await scene.merge(second.employer, third.employer);
    const shown = () => textsOf(first.id, other, second.id);
    expect(await shown()).toEqual(['By the first.', 'Of one house.', 'By the second.']);
    const [one, two] = order === 'first' ? [first, second] : [second, first];
    expect(isDone(await scene.undo(one.employer))).toBe(true);
    // The second wrote it under a review of the first, which is separate only once that merge is
    // undone.
    const between = order === 'first' ? undefined : 'Of one house.';
    expect(await shown()).toEqual(['By the first.', between, 'By the second.']);
    expect(isDone(await scene.undo(two.employer))).toBe(true);
    expect(await shown()).toEqual(['By the first.', undefined, 'By the second.']);
    await scene.approve(first.speaker.userId);
    expect((await scene.write(other, first.speaker, 'Ours again.')).statusCode).toBe(201);
    expect(await shown()).toEqual(['By the first.', 'Ours again.', 'By the second.']);
  },
);

test.each(['first', 'last'] as const)(
  'the case about a reply stays readable through a chain of merges, undone with the %s one first',
  async (order) => {
    const { first, second, third } = await merged();
    await scene.report(first.id, await signedInDoctor(server, {}));
    await scene.merge(second.employer, third.employer);
    const other_employer = async () => (await scene.fileAbout(first.id))?.reply.other_employer;
    expect(await other_employer()).toBeNull();
    const steps = order === 'first' ? [first, second] : [second, first];
    for (const { employer } of steps) await scene.undo(employer);
    const { employer } = (await scene.call('GET', `/reviews/${second.id}/`)).json();
    expect(await other_employer()).toBe(employer.name);
    const { id: case_id } = (await scene.caseAbout(first.id)) ?? {};
    expect((await scene.decide(first.id, 'keep', { case_id })).statusCode).toBe(200);
    expect(await scene.caseAbout(first.id)).toBeUndefined();
    // After another merge, the reply belongs to it again.
    await scene.merge(first.employer, second.employer);
    expect(await scene.publicText(first.id)).toBe('Of one house.');
  },
);

test('after an undone merge, the employer may replace a reply by the other one that was removed', async () => {
  const { first } = await merged();
  const reporter = await signedInDoctor(server, {});
  await scene.report(first.id, reporter);
  await scene.decide(first.id, 'remove');
  const answers = async () => (await scene.call('GET', '/reviews/reports/', reporter)).json();
  expect(await answers()).toMatchObject([{ outcome: 'removed', rule: 'asking_who' }]);
  await scene.undo(first.employer);
  await scene.approve(first.speaker.userId);
  const removed = await scene.call('GET', '/reviews/replies/removed/', first.speaker);
  expect(removed.json()).toEqual([]);
  expect((await scene.write(first.id, first.speaker, 'Ours.')).statusCode).toBe(201);
  expect(await scene.publicText(first.id)).toBe('Ours.');
  // It is another reply: the reported one stays removed.
  expect(await answers()).toMatchObject([{ outcome: 'removed', rule: 'asking_who' }]);
});
