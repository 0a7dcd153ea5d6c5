import { sql } from 'kysely';
import { EXCERPT_MAX, QUOTED_FROM } from '#contract/limits.ts';
import type { Db } from '#server/db/open.ts';
import type { EmployerQuotes } from '#server/features/employers/from-reviews.ts';

interface Row {
  employer_id: number;
  newest: Date;
  kind: 'pro' | 'con' | null;
  review_id: string | null;
  text: string | null;
}

/**
 * The newest review of each employer, and a pro and a con from its most helpful reviews. Everything
 * except the quoted texts is read from the index reviews_by_employer alone.
 */
export async function selectQuotes(
  db: Db,
  employerIds: readonly number[],
  specialty: string | null,
): Promise<Map<number, EmployerQuotes>> {
  const { rows } = await sql<Row>`
    with helpful as materialized (
      select found.* from unnest(${employerIds}::integer[]) as wanted (id) cross join lateral (
        select employer_id, id, max(created_at) over () as newest,
          row_number() over (order by helpful_score desc, created_at desc, id) as place
        from reviews
        where employer_id = wanted.id and removed_reason is null
          and (${specialty}::text is null or specialty = ${specialty}::text)
        order by place limit ${sql.lit(QUOTED_FROM)}
      ) as found
    ), quotes as (
      select distinct on (helpful.employer_id, kind) helpful.employer_id, kind,
        helpful.id as review_id, left(text, ${sql.lit(2 * EXCERPT_MAX)}) as text
      from helpful join reviews on reviews.id = helpful.id
        cross join lateral (values ('pro', pros), ('con', cons)) as said (kind, text)
      where text <> ''
      order by helpful.employer_id, kind, place
    )
    select employer_id, newest, kind, review_id, text
    from helpful left join quotes using (employer_id) where place = 1
  `.execute(db);
  const quotes = new Map<number, EmployerQuotes>();
  for (const { employer_id, newest, kind, review_id, text } of rows) {
    const found = quotes.get(employer_id) ?? { newest, pro: null, con: null };
    if (kind && review_id && text) found[kind] = { review_id, excerpt: excerptOf(text) };
    quotes.set(employer_id, found);
  }
  return quotes;
}

/** The first sentences that fit; if none does, the first words. */
export function excerptOf(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= EXCERPT_MAX) return plain;
  const start = plain.slice(0, EXCERPT_MAX);
  const sentences = Math.max(...['. ', '! ', '? '].map((end) => start.lastIndexOf(end)));
  if (sentences >= EXCERPT_MAX / 3) return start.slice(0, sentences + 1);
  const words = start.lastIndexOf(' ');
  // Do not cut within a character of two code units.
  const cut = words > 0 ? start.slice(0, words) : start.replace(/[\uD800-\uDBFF]$/, '');
  return `${cut.replace(/[,;:]$/, '')}…`;
}
