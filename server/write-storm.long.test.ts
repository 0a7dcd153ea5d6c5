import { test } from 'vitest';
import { expectCalmAfterStorm } from './testing/write-storm.ts';

test('concurrent posts, edits, deletes, votes, merges, and the nightly rewrite cause no 5xx', () =>
  expectCalmAfterStorm(30_000));
