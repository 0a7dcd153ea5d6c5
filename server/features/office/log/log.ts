import { stringify } from 'csv-stringify/sync';
import type { LogEntry, LogExport, LogFilters, LogQuery } from '#contract/office/audit-log.ts';
import {
  LOG_EXPORT_MAX,
  type LogKind,
  logKindsFor,
  STAFF_ACTS,
  type StaffAct,
} from '#contract/office/logged-acts.ts';
import type { ModeratedReply, RemovedTexts } from '#contract/reviews/review-moderation.ts';
import { type ActRow, COMMAND, selectActs } from '#server/audit-log.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { selectRepresentativesOf } from '#server/features/accounts/identity/representative-queries.ts';
import { employersByAnyId, employerWithMerged } from '#server/features/employers/employers.ts';
import { moderatedReplies } from '#server/features/replies/moderation.ts';
import { representedEmployers } from '#server/features/replies/representatives/representatives.ts';
import {
  isInForce,
  selectLastChanges,
} from '#server/features/reviews/moderation/decision-queries.ts';
import { moderatedReviews } from '#server/features/reviews/moderation/moderated-reviews.ts';
import type { Caller } from '#server/plugins/access.ts';
import { actorName, staffNames } from '../staff-names.ts';

/**
 * A review and its reply, if a moderator's decision about either is in force. Not a text that the
 * author has replaced since, and nothing else that is not public. Throws `not_found`.
 */
async function removedTexts(deps: Pick<Deps, 'db' | 'clock'>, id: string): Promise<RemovedTexts> {
  const [[moderated], [replied]] = await Promise.all([
    moderatedReviews(deps, [id]),
    moderatedReplies(deps, [id]),
  ]);
  // After the text, which an edit may have replaced in between.
  const [last] = await selectLastChanges(deps.db, [id]);
  if (!moderated) throw new AppError('not_found');
  const { review } = moderated;
  const isRemoved = last !== undefined && isInForce(last);
  const isShown = isRemoved || review.removed_reason === null;
  const reply = isShown && replied && isOnlyRemoved(replied) ? replied.reply : null;
  if (!isRemoved && reply === null) throw new AppError('not_found');
  return {
    review,
    is_removed: isRemoved,
    reply: reply && { text: reply.text, replied_on: reply.replied_on },
  };
}

/** Neither deleted by its employer, nor of an employer that no longer has the review. */
const isOnlyRemoved = ({ reply }: ModeratedReply) =>
  reply.is_removed && !reply.is_deleted && reply.other_employer === null;

type LogDeps = Pick<Deps, 'db' | 'keys'>;

/** One page of what staff did, without the kinds of acts that the caller may not read. */
export async function readLog(
  deps: LogDeps,
  { roles }: Pick<Caller, 'roles'>,
  { kind, staff, review, employer, demand, ...query }: LogQuery,
): Promise<{ entries: LogEntry[]; count: number }> {
  const about = await subjectsAbout(deps, { review, employer, demand });
  const kinds = logKindsFor(roles).filter(
    (one) => (kind === undefined || one === kind) && (about?.kinds.includes(one) ?? true),
  );
  const acts = kinds.flatMap((one) => Object.keys(STAFF_ACTS[one]) as StaffAct[]);
  const criteria = { ...query, actor: staff, subjects: about?.subjects };
  const { rows, count } = await selectActs(deps.db, acts, criteria);
  return { entries: await toEntries(deps, rows), count };
}

/** The same for all pages. Reads at most `LOG_EXPORT_MAX` entries. */
export async function exportLog(
  deps: LogDeps,
  caller: Pick<Caller, 'roles'>,
  filters: LogFilters,
): Promise<LogExport> {
  const query = { ...filters, page: 1, page_size: LOG_EXPORT_MAX };
  const { entries, count } = await readLog(deps, caller, query);
  const rows = entries.map(({ happened_on, actor, actor_id, act, subject, details }) => ({
    day: happened_on,
    staff: actor,
    staff_id: actor_id,
    act,
    about: subject?.type === 'name' ? null : subject?.type,
    about_id: subject && 'id' in subject ? subject.id : null,
    about_name: subject && 'name' in subject ? subject.name : null,
    details: JSON.stringify(details),
  }));
  const columns = ['day', 'staff', 'staff_id', 'act', 'about', 'about_id', 'about_name', 'details'];
  const csv = stringify(rows, {
    header: true,
    columns,
    record_delimiter: 'windows',
    escape_formulas: true,
  });
  return { csv, count };
}

/**
 * What moderators have removed of a review and its reply, for an auditor who may read acts about
 * reviews. Throws `permission_denied` and `not_found`.
 */
export function readRemoved(
  deps: Pick<Deps, 'db' | 'clock'>,
  { roles }: Pick<Caller, 'roles'>,
  id: string,
): Promise<RemovedTexts> {
  if (!logKindsFor(roles).includes('reviews')) throw new AppError('permission_denied');
  return removedTexts(deps, id);
}

/**
 * What the acts about one thing name, and the kinds of these acts. Of other kinds, the same id could
 * be a doctor's account.
 */
async function subjectsAbout(
  { db }: LogDeps,
  { review, employer, demand }: Pick<LogQuery, 'review' | 'employer' | 'demand'>,
): Promise<{ kinds: readonly LogKind[]; subjects: string[] } | undefined> {
  if (review !== undefined) return { kinds: ['reviews', 'replies'], subjects: [review] };
  if (demand !== undefined) return { kinds: ['legal'], subjects: [demand] };
  if (employer === undefined) return undefined;
  const ids = await employerWithMerged(db, employer);
  const accounts = await selectRepresentativesOf(db, ids);
  return { kinds: ['employers', 'representatives'], subjects: [...ids.map(String), ...accounts] };
}

async function toEntries({ db, keys }: LogDeps, rows: readonly ActRow[]): Promise<LogEntry[]> {
  const actors = rows.map(({ actor }) => actor).filter((actor) => actor !== COMMAND);
  const [staff, represented, employers] = await Promise.all([
    staffNames({ db, keys }, [...actors, ...subjectsOf(rows, 'staff')]),
    representedEmployers(db, subjectsOf(rows, 'representatives')),
    employersByAnyId(db, subjectsOf(rows, 'employers').map(Number)),
  ]);
  return rows.map(({ actor, action, subject, details, ...row }) => {
    // It would show the day on which the review was reported.
    const { days: _, ...shown } = details;
    return {
      ...row,
      act: action,
      actor: actorName(staff, actor),
      actor_id: actor === COMMAND ? null : actor,
      subject: subjectOf(action, subject, { staff, represented, employers }),
      details: shown,
    };
  });
}

const isOf = (kind: keyof typeof STAFF_ACTS, act: StaffAct) => act in STAFF_ACTS[kind];

const subjectsOf = (rows: readonly ActRow[], kind: keyof typeof STAFF_ACTS) =>
  rows.filter(({ action }) => isOf(kind, action)).map(({ subject }) => subject);

interface NamedEmployer {
  id: number;
  name: string;
}

interface Known {
  staff: ReadonlyMap<string, string>;
  /** By the account of a representative. */
  represented: ReadonlyMap<string, NamedEmployer>;
  employers: ReadonlyMap<number, NamedEmployer>;
}

/** The subject of an act. A doctor's account next to acts about reviews could reveal who wrote one. */
function subjectOf(act: StaffAct, subject: string, known: Known): LogEntry['subject'] {
  if (isOf('doctors', act)) return null;
  if (isOf('reviews', act) || isOf('replies', act)) return { type: 'review', id: subject };
  if (isOf('employers', act)) {
    const id = Number(subject);
    return { type: 'employer', id, name: known.employers.get(id)?.name ?? null };
  }
  if (isOf('representatives', act)) {
    const employer = known.represented.get(subject);
    return employer ? { type: 'employer', id: employer.id, name: employer.name } : null;
  }
  if (isOf('legal', act)) return { type: 'demand', id: subject };
  const name = isOf('staff', act) ? known.staff.get(subject) : subject;
  return name === undefined ? null : { type: 'name', name };
}
