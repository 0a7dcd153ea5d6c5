import { test } from 'vitest';
import { expectCalmAfterStorm } from './testing/write-storm.ts';

test('some concurrent posts, edits, deletes, votes, merges, and rewrites cause no 5xx', () =>
  expectCalmAfterStorm(0));
