import type { Deps } from '#server/deps.ts';
import { chance } from './data.ts';

const MOST_VOTES = 12;
const ROWS_PER_INSERT = 100;

export interface Written {
  id: string;
  author: string;
}

/** Adds votes by demo doctors. Most reviews get few votes or none. */
export async function addVotes(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  reviews: readonly Written[],
  voters: readonly string[],
) {
  const rows = reviews.flatMap(({ id, author }, at) => {
    const count = Math.floor(chance(`votes/${at}`) ** 3 * (MOST_VOTES + 1));
    const liking = 0.5 + chance(`liking/${at}`) / 2;
    return voters
      .filter((voter) => voter !== author)
      .map((voter, nth) => ({ voter, nth, turn: chance(`turn/${at}/${nth}`) }))
      .sort((a, b) => a.turn - b.turn)
      .slice(0, count)
      .map(({ voter, nth }) => ({
        review_id: id,
        voter_key: keys.deedKey('vote', voter, id),
        helpful: chance(`vote/${at}/${nth}`) < liking,
      }));
  });
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    await db
      .insertInto('review_votes')
      .values(rows.slice(from, from + ROWS_PER_INSERT))
      .execute();
  }
}
