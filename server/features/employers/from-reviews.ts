import type { RawBuilder } from 'kysely';
import type { Quote } from '#contract/employers/employer-comparison.ts';
import type { Db } from '#server/db/open.ts';

/** A position in an employer's reviews. */
export interface EmployerPosition {
  title: string;
  count: number;
  /** An ISO date and time. */
  newest: string;
  recent_count: number;
  recent_sum: number;
}

export interface EmployerQuotes {
  newest: Date;
  pro: Quote | null;
  con: Quote | null;
}

/** What reviews tell about employers. Reviews come after employers, so they are handed over. */
export interface FromReviews {
  /** The newest review of each employer, and a pro and a con. */
  quotes(
    db: Db,
    employerIds: readonly number[],
    specialty: string | null,
  ): Promise<Map<number, EmployerQuotes>>;
  /** The positions of `employers` in the enclosing query, as JSON of `EmployerPosition[]`. */
  positions(since: Date, specialty: string | null): RawBuilder<unknown>;
}
