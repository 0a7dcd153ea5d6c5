import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { JOB_SETTINGS } from '#server/jobs/settings.ts';
import { TIME_OUTS } from '#server/time-outs.ts';
import { nameIn, tablesOf, tableUnder } from './markdown.ts';
import { milliseconds } from './values.ts';

const DOCUMENT = 'docs/operations.md';

/** Delays on the screens, and durations that are not limits. */
const NO_LIMITS =
  /_(?:DEBOUNCE|DELAY|AFTER|SYNC|REPEAT|INTERVAL|REDIRECT|END)_MS$|^(?:DAY|MINUTE|OLD_BROWSER)_MS$|^PRIVACY_ANSWER_DAYS$/;
const tablesUnder = (...headings: string[]) =>
  tablesOf(DOCUMENT).filter(({ heading }) => headings.includes(heading));
/** A delay that is also a lifetime. */
const LIFETIMES = ['REFRESH_MIN_DELAY_MS'];

test('docs/operations.md lists every timeout of the server exactly as in the code', () => {
  const { rows: ours = [] } = tablesUnder('Timeouts')[0] ?? {};
  const documented = ours.map((row) => [
    nameIn(row['name']),
    { ms: milliseconds(row['time']), limits: row['what it limits, and what happens on timeout'] },
  ]);
  expect(Object.fromEntries(documented)).toEqual(TIME_OUTS);
});

test('docs/operations.md lists every other time exactly as in the contract', () => {
  const rows = tablesUnder('Timeouts', 'Lifetimes').flatMap((table) => table.rows);
  const times = rows.map((row) => [nameIn(row['name']), milliseconds(row['time'])] as const);
  const documented = times.filter(([name]) => name.includes('_'));
  const inCode = Object.entries(limits)
    .filter(([name]) => /_(?:MS|DAYS)$/.test(name))
    .filter(([name]) => LIFETIMES.includes(name) || !NO_LIMITS.test(name))
    .map(([name, value]) => [name, Number(value) * (name.endsWith('_DAYS') ? limits.DAY_MS : 1)]);
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(inCode));
});

test('docs/operations.md lists every job exactly as in the code', () => {
  const seconds = (text?: string) => (text === 'none' ? undefined : milliseconds(text) / 1000);
  const documented = tableUnder(DOCUMENT, 'Jobs').map((row) => [
    nameIn(row['job']),
    {
      expireInSeconds: seconds(row['one attempt']),
      retryLimit: Number(row['attempts']) - 1,
      retryDelayMax: seconds(row['longest pause']),
      retentionSeconds: seconds(row['longest retention']),
    },
  ]);
  const inCode = Object.entries(JOB_SETTINGS).map(([name, { queue }]) => {
    const { expireInSeconds, retryLimit, retryDelayMax, retentionSeconds } = queue;
    return [name, { expireInSeconds, retryLimit, retryDelayMax, retentionSeconds }];
  });
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(inCode));
});
