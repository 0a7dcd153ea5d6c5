import { expect, onTestFinished, test } from 'vitest';
import { buildObservedSite } from './testing/observed-site.ts';

const TITLE = 'Night Float Hospitalist';
const TITLES = '/api/position-titles/';

/**
 * Whether a title's suggestions would reveal that two reviews share an author. With leaks, the
 * third author of a title adds it, and the third review by two authors does not.
 */
async function suggestionsAt({ leaks }: { leaks: boolean }) {
  const site = await buildObservedSite();
  onTestFinished(() => site.server[Symbol.asyncDispose]());
  if (leaks) {
    await site.server.deps.database.pool.query(`
      create function suggest_used_titles() returns trigger language plpgsql as $$
      begin
        insert into public.position_titles (title)
        select new.position_title where (
          select count(distinct author_key) from public.reviews join public.review_authors on review_id = id
          where position_key = new.position_key
        ) >= 3
        on conflict (title_key) do nothing;
        return null;
      end $$;
      create trigger suggest_used_titles after insert on reviews
        for each row execute function suggest_used_titles()`);
  }
  const [one, probe] = [await site.newAuthor(), await site.newAuthor()];
  const seen = [];
  for (const [author, at] of [
    [one, 0],
    [one, 1],
    [probe, 2],
    [await site.newAuthor(), 3],
  ] as const) {
    const { paths } = await site.seen(() => site.write(author, at, { position_title: TITLE }));
    seen.push(paths.includes(TITLES));
  }
  return seen;
}

test('no review by any author adds its title to the suggestions', async () => {
  expect(await suggestionsAt({ leaks: false })).toEqual([false, false, false, false]);
});

test('with the leak reintroduced, suggestions by distinct authors show that two reviews share an author', async () => {
  expect(await suggestionsAt({ leaks: true })).toEqual([false, false, false, true]);
});
