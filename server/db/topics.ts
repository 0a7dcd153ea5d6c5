import { createHash } from 'node:crypto';
import type pg from 'pg';

interface Source {
  readonly table: string;
  /** Columns that no public response shows. All others count, including new ones. */
  readonly except?: readonly string[];
}

/**
 * The sources of public responses. Routes name these topics in `madeFrom` and `changes`, and every
 * committed change to the table notifies all servers of its topic.
 */
const SOURCES = {
  employers: { table: 'employers' },
  physician_counts: { table: 'physician_counts' },
  position_titles: { table: 'position_titles' },
  reviews: {
    table: 'reviews',
    // Votes have their own topic. The nightly rewrite changes nothing public.
    except: ['helpful_count', 'not_helpful_count', 'settled'],
  },
  // No public response has these columns; the nightly rewrite changes one of them.
  replies: { table: 'review_replies', except: ['written_by', 'decided_on', 'rule', 'note'] },
  votes: { table: 'review_votes', except: ['voter_key'] },
} as const satisfies Record<string, Source>;

export type Topic = keyof typeof SOURCES;
export const TOPICS = Object.keys(SOURCES) as Topic[];

/** Changes whenever the triggers must be recreated. */
export const TOPICS_CHECKSUM = createHash('sha256').update(JSON.stringify(SOURCES)).digest('hex');

/** Creates the trigger of each topic, with the columns that its table has now. */
export async function createTopicTriggers(client: pg.ClientBase): Promise<void> {
  for (const [topic, { table, except = [] }] of Object.entries<Source>(SOURCES)) {
    const { rows } = await client.query<{ columns: string }>(
      `select string_agg(quote_ident(column_name), ', ') as columns
       from information_schema.columns
       where table_schema = 'public' and table_name = $1
         and is_generated = 'NEVER' and column_name <> all ($2)`,
      [table, except],
    );
    await client.query(
      `create or replace trigger changed
         after insert or delete or truncate or update of ${rows[0]?.columns} on ${table}
         for each statement execute function notify_changed('${topic}')`,
    );
  }
}
