import { CASE_ROLES, type CaseKind } from '#contract/cases.ts';
import { EmployerId } from '#contract/employers/employers.ts';
import { DEMAND_KINDS } from '#contract/legal-demands/legal-demand-choices.ts';
import { titleCase } from '#contract/names.ts';
import type {
  Case,
  CaseAct,
  CaseFile,
  CaseNote,
  HistoryQuery,
  SimilarDecision,
} from '#contract/office/case-queue.ts';
import type { EarlierDecision } from '#contract/reviews/review-moderation.ts';
import { actsAbout, COMMAND } from '#server/audit-log.ts';
import { selectNotes } from '#server/cases/cases.ts';
import { type CaseRow, subjectOf, type Viewer } from '#server/cases/queue.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { loadProfile, loadProfiles } from '#server/features/accounts/identity/profiles.ts';
import { waitingCorrections } from '#server/features/employers/correction/corrections.ts';
import { readEmployerFile } from '#server/features/employers/curation/submitted-employers.ts';
import { employersByAnyId } from '#server/features/employers/employers.ts';
import { currentIds } from '#server/features/employers/queries.ts';
import { moderatedReplies } from '#server/features/replies/moderation.ts';
import {
  representativeFile,
  representedEmployers,
} from '#server/features/replies/representatives/representatives.ts';
import {
  earlierDecisions,
  moderatedReviews,
  reportedTexts,
  similarDecisions,
} from '#server/features/reviews/moderation/moderated-reviews.ts';
import { undecidedReview } from '#server/features/reviews/moderation/second-look.ts';
import { selectDemandsByIds } from '#server/legal-demands/demands.ts';
import type { Caller } from '#server/plugins/access.ts';
import { toStaffDoctors } from '../doctors.ts';
import { toDemands } from '../legal/demands.ts';
import { actorName, staffNames } from '../staff-names.ts';

type FileDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;
/** How many other cases and decisions are shown with a case. */
export const OTHERS_MAX = 10;

type Heading = Pick<Case, 'title' | 'detail'> & Partial<Pick<Case, 'reports' | 'excerpt'>>;

/** A short description of each case, as shown, by case id. */
export async function headingsOf(
  deps: FileDeps,
  rows: readonly CaseRow[],
): Promise<Map<string, Heading>> {
  const ofReplies = rows.filter(({ kind }) => kind === 'reply');
  const ofReviews = rows.filter(({ kind }) => kind !== 'reply');
  const [reviews, replies, accounts, employers, demands] = await Promise.all([
    reviewHeadings(deps, 'review_reports', present(ofReviews, 'review_id')),
    reviewHeadings(deps, 'reply_reports', present(ofReplies, 'review_id')),
    accountHeadings(deps, present(rows, 'account_id')),
    employerHeadings(deps, present(rows, 'employer_id')),
    demandHeadings(deps, present(rows, 'demand_id')),
  ]);
  return new Map(
    rows.flatMap((row) => {
      const heading =
        (row.kind === 'reply' ? replies : reviews).get(row.review_id ?? '') ??
        accounts.get(row.account_id ?? '') ??
        employers.get(row.employer_id ?? 0) ??
        demands.get(row.demand_id ?? '');
      return heading ? [[row.id, heading]] : [];
    }),
  );
}

const present = <Column extends 'review_id' | 'account_id' | 'employer_id' | 'demand_id'>(
  rows: readonly CaseRow[],
  column: Column,
): NonNullable<CaseRow[Column]>[] => rows.flatMap((row) => row[column] ?? []);

async function reviewHeadings(
  { db }: FileDeps,
  table: Parameters<typeof reportedTexts>[1],
  ids: readonly string[],
) {
  const texts = await reportedTexts(db, table, ids);
  return new Map<string, Heading>(
    [...texts].map(([id, { position_title, employer_name, text, reports }]) => {
      const names = { title: titleCase(position_title), detail: titleCase(employer_name) };
      return [id, { ...names, excerpt: firstWords(text), reports }];
    }),
  );
}

const EXCERPT_MAX = 100;

function firstWords(text: string): string {
  const line = text.slice(0, EXCERPT_MAX + 1).replace(/\s/g, ' ');
  return line.length <= EXCERPT_MAX ? line : `${line.slice(0, line.lastIndexOf(' ')).trimEnd()}…`;
}

/** A doctor by NPI, a representative by employer. */
async function accountHeadings({ db, keys }: FileDeps, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, Heading>();
  const [profiles, employers] = await Promise.all([
    loadProfiles(keys, db, ids),
    representedEmployers(db, ids),
  ]);
  return new Map<string, Heading>(
    profiles.flatMap(({ user, doctor }) => {
      const title = `${user.first_name} ${user.last_name}`;
      const employer = employers.get(user.id)?.name;
      const detail = doctor ? `NPI ${doctor.npi}` : employer && titleCase(employer);
      return detail === undefined ? [] : [[user.id, { title, detail }]];
    }),
  );
}

async function employerHeadings({ db }: FileDeps, ids: readonly number[]) {
  const employers = await employersByAnyId(db, ids);
  return new Map<number, Heading>(
    [...employers].map(([id, { name, city, state }]) => [
      id,
      { title: titleCase(name), detail: titleCase([city, state].filter(Boolean).join(', ')) },
    ]),
  );
}

async function demandHeadings(deps: FileDeps, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, Heading>();
  const demands = await toDemands(deps, await selectDemandsByIds(deps.db, ids));
  return new Map<string, Heading>(
    demands.map(({ id, kind, jurisdiction, review }) => [
      id,
      {
        title: DEMAND_KINDS[kind],
        detail: [jurisdiction, review && titleCase(review.employer)].filter(Boolean).join(' · '),
      },
    ]),
  );
}

/** Everything about a case that its decision needs; null if its subject no longer exists. */
export async function fileOf(deps: FileDeps, row: CaseRow): Promise<CaseFile['file'] | null> {
  if (row.kind === 'second_look' && row.review_id !== null) {
    const undecided = await undecidedReview(deps, row.review_id);
    return undecided && { type: 'review', ...undecided };
  }
  if (row.review_id !== null && row.kind === 'reply') {
    const [moderated] = await moderatedReplies(deps, [row.review_id]);
    return moderated ? { type: 'reply', ...moderated } : null;
  }
  if (row.review_id !== null) {
    const [moderated] = await moderatedReviews(deps, [row.review_id]);
    return moderated ? { type: 'review', ...moderated } : null;
  }
  if (row.account_id !== null && row.kind === 'representative') {
    const representative = await representativeFile(deps, row.account_id);
    return representative && { type: 'representative', representative };
  }
  if (row.account_id !== null) {
    const profile = await loadProfile(deps.keys, deps.db, row.account_id);
    const [doctor] = await toStaffDoctors(deps, profile?.doctor ? [profile.doctor] : []);
    return doctor ? { type: 'doctor', doctor } : null;
  }
  if (row.demand_id !== null) {
    const [demand] = await toDemands(deps, await selectDemandsByIds(deps.db, [row.demand_id]));
    return demand ? { type: 'legal', demand } : null;
  }
  if (row.employer_id === null) return null;
  if (row.kind === 'correction') {
    return { type: 'correction', ...(await waitingCorrections(deps.db, row.employer_id)) };
  }
  return { type: 'employer', ...(await readEmployerFile(deps, row.employer_id)) };
}

/** What staff did about the subject of a case of each kind: the beginnings of acts of the log. */
const CASE_ACTS: Record<CaseKind, readonly string[]> = {
  report: ['review.', 'appeal.'],
  appeal: ['review.', 'appeal.'],
  // Not the decision that it is about.
  second_look: ['second-look.'],
  reply: ['reply.'],
  doctor: ['doctor.'],
  eviction: ['doctor.'],
  employer: ['employers.'],
  correction: ['correction.'],
  legal: ['legal.', 'demand.', 'gag.'],
  representative: ['representative.'],
};

/**
 * What staff did about the subject of a case of a kind, for whoever has its role. It names no author
 * and no reporter. Throws `permission_denied`.
 */
export function readHistory(
  deps: FileDeps,
  { roles }: Pick<Caller, 'roles'>,
  { kind, subject }: HistoryQuery,
): Promise<CaseAct[]> {
  if (!roles.includes(CASE_ROLES[kind])) throw new AppError('permission_denied');
  return actsOf(deps, kind, subject);
}

export const historyOf = (deps: FileDeps, row: CaseRow): Promise<CaseAct[]> =>
  actsOf(deps, row.kind as CaseKind, subjectOf(row));

async function actsOf(deps: FileDeps, kind: CaseKind, subject: string): Promise<CaseAct[]> {
  const subjects = kind === 'correction' ? await withMerged(deps, subject) : [subject];
  const rows = await actsAbout(deps.db, subjects, CASE_ACTS[kind]);
  const nameOf = await namesOf(
    deps,
    rows.map(({ actor }) => actor),
  );
  return rows.map(({ actor, action, happened_on }) => ({
    act: action,
    by: nameOf(actor),
    happened_on,
  }));
}

/** An employer, and the one it was merged into, with which its corrections have been logged since. */
async function withMerged({ db }: FileDeps, subject: string): Promise<string[]> {
  const id = EmployerId.safeParse(Number(subject));
  const current = id.success ? await currentIds(db, [id.data]) : new Map<number, number>();
  return [subject, ...[...current.values()].map(String)];
}

/** How each of these actors is shown. A decision by a command names nobody. */
async function namesOf(
  deps: FileDeps,
  actors: readonly (string | null)[],
): Promise<(actor: string | null) => string> {
  const ids = actors.filter((actor): actor is string => actor !== null && actor !== COMMAND);
  const names = await staffNames(deps, ids);
  return (actor) => (actor === null ? 'Command or deleted account' : actorName(names, actor));
}

/** The latest decisions about other reviews of the employer; for an appeal, under the same rule. */
export async function similarTo(
  deps: FileDeps,
  { userId: viewer }: Viewer,
  { kind, review_id }: CaseRow,
): Promise<SimilarDecision[]> {
  if (review_id === null || (kind !== 'report' && kind !== 'appeal')) return [];
  const rows = await similarDecisions(deps.db, review_id, {
    viewer,
    sameRule: kind === 'appeal',
    limit: OTHERS_MAX,
  });
  const nameOf = await namesOf(
    deps,
    rows.map(({ decided_by }) => decided_by),
  );
  return rows.map(({ decided_by, ...decision }) => ({ ...decision, by: nameOf(decided_by) }));
}

/** What staff wrote for each other about a case. */
export async function namedNotes(deps: FileDeps, id: string): Promise<CaseNote[]> {
  const notes = await selectNotes(deps.db, id);
  const names = await staffNames(
    deps,
    notes.flatMap(({ written_by }) => written_by ?? []),
  );
  return notes.map(({ written_by, ...note }) => ({
    ...note,
    by: names.get(written_by ?? '') ?? 'Deleted account',
  }));
}

/** What moderators have decided about a review, and who. */
export async function namedDecisions(deps: FileDeps, id: string): Promise<EarlierDecision[]> {
  const decisions = await earlierDecisions(deps.db, id);
  const nameOf = await namesOf(
    deps,
    decisions.map(({ decided_by }) => decided_by),
  );
  return decisions.map(({ decided_by, ...decision }) => ({ ...decision, by: nameOf(decided_by) }));
}
