import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { JOB_SETTINGS } from '#server/jobs/settings.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { tablesOf, tableUnder } from './markdown.ts';
import { nameIn } from './product.ts';
import { milliseconds } from './values.ts';

const DOCUMENT = 'docs/operations.md';

/** Delays on the screens, and durations that are not limits. */
const NO_LIMITS =
  /_(?:DEBOUNCE|DELAY|AFTER|SYNC|REPEAT|INTERVAL|REDIRECT)_MS$|^(?:DAY|MINUTE)_MS$|^PRIVACY_ANSWER_DAYS$/;
/** A delay that is also a lifetime. */
const LIFETIMES = ['REFRESH_MIN_DELAY_MS'];

test('docs/operations.md lists every timeout of the server exactly as in the code', () => {
  const [ours = []] = tablesOf(DOCUMENT)
    .filter(({ heading }) => heading === 'Timeouts')
    .map(({ rows }) => rows);
  const documented = ours.map((row) => [
    nameIn(row['name']),
    { ms: milliseconds(row['time']), limits: row['what it limits, and what happens on timeout'] },
  ]);
  expect(Object.fromEntries(documented)).toEqual(TIME_OUTS);
});

test('docs/operations.md lists every other time exactly as in the contract', () => {
  const documented = tablesOf(DOCUMENT)
    .filter(({ heading }) => heading === 'Timeouts' || heading === 'Lifetimes')
    .flatMap(({ rows }) => rows)
    .filter((row) => nameIn(row['name']).includes('_'))
    .map((row) => [nameIn(row['name']), milliseconds(row['time'])]);
  const inCode = Object.entries(limits)
    .filter(([name]) => /_(?:MS|DAYS)$/.test(name))
    .filter(([name]) => LIFETIMES.includes(name) || !NO_LIMITS.test(name))
    .map(([name, value]) => [name, Number(value) * (name.endsWith('_DAYS') ? limits.DAY_MS : 1)]);
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(inCode));
});

test('docs/operations.md lists every job exactly as in the code', () => {
  const documented = tableUnder(DOCUMENT, 'Jobs').map((row) => [
    nameIn(row['job']),
    {
      expireInSeconds: milliseconds(row['one attempt']) / 1000,
      retryLimit: Number(row['attempts']) - 1,
      retryDelayMax:
        row['longest pause'] === 'none' ? undefined : milliseconds(row['longest pause']) / 1000,
      retentionSeconds: milliseconds(row['longest retention']) / 1000,
    },
  ]);
  const inCode = Object.entries(JOB_SETTINGS).map(([name, { queue }]) => {
    const { expireInSeconds, retryLimit, retryDelayMax, retentionSeconds } = queue;
    return [name, { expireInSeconds, retryLimit, retryDelayMax, retentionSeconds }];
  });
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(inCode));
});
