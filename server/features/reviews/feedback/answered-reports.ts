import { setImmediate as yieldToRequests } from 'node:timers/promises';
import fastq from 'fastq';
import { DAY_MS, REPORT_ANSWER_DAYS, REPORT_ANSWERS_SEARCHED } from '#contract/limits.ts';
import type { AnsweredReport } from '#contract/review-feedback.ts';
import type { Author } from '#server/anonymity/author.ts';
import { toDay } from '#server/anonymity/coarse-time.ts';
import type { Db } from '#server/db/open.ts';
import type { Deps } from '#server/deps.ts';
import { unavailable } from '#server/errors/app-error.ts';
import { type Candidate, selectAnswers, selectCandidates } from './answered-queries.ts';

/** Computing the keys for this many reviews takes a few milliseconds of the event loop. */
const KEYS_AT_ONCE = 200;
const SEARCHES_WAITING = 30;

/**
 * Returns the outcomes of an author's reports. The reporter is not stored: a reporter's key is
 * different for each review, so this tries the reviews whose reports were answered most recently.
 * That is expensive, so searches run one at a time, and an author's simultaneous requests share
 * one. Throws `unavailable` if too many searches are waiting.
 */
export function answeredReports({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const queue = fastq.promise((author: Author) => {
    const since = toDay(new Date(clock().getTime() - REPORT_ANSWER_DAYS * DAY_MS));
    return search(db, author, since);
  }, 1);
  const running = new Map<string, Promise<AnsweredReport[]>>();
  return (author: Author): Promise<AnsweredReport[]> => {
    const same = running.get(author.writer);
    if (same) return same;
    if (queue.length() >= SEARCHES_WAITING) throw unavailable();
    const answers = queue.push(author).finally(() => running.delete(author.writer));
    running.set(author.writer, answers);
    return answers;
  };
}

async function search(db: Db, author: Author, since: string): Promise<AnsweredReport[]> {
  const candidates = await selectCandidates(db, since, REPORT_ANSWERS_SEARCHED);
  const found: AnsweredReport[] = [];
  for (let at = 0; at < candidates.length; at += KEYS_AT_ONCE) {
    const some = candidates.slice(at, at + KEYS_AT_ONCE);
    const keysOf = (about: Candidate['about']) =>
      some
        .filter((candidate) => candidate.about === about)
        .flatMap(({ id }) => author.deedKeys(DEEDS[about], id).map((key) => ({ id, key })));
    found.push(...(await selectAnswers(db, { review: keysOf('review'), reply: keysOf('reply') })));
    await yieldToRequests();
  }
  return found.toSorted((one, other) => other.decided_on.localeCompare(one.decided_on));
}

const DEEDS = { review: 'report', reply: 'reply-report' } as const;
