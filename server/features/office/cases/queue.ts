import { sql } from 'kysely';
import type * as z from 'zod/mini';
import {
  CASE_KIND_KEYS,
  CASE_ROLES,
  type CaseKind,
  type CasePriority,
  searchedSubject,
} from '#contract/cases.ts';
import type {
  Case,
  CaseChanges,
  CaseChangesQuery,
  CaseFile,
  CaseFilters,
  CaseNote,
  CasePage,
  CaseQuery,
  ProofRequestRequest,
} from '#contract/office/case-queue.ts';
import { plainLetters } from '#contract/plain-letters.ts';
import type { ReviewFile } from '#contract/reviews/review-moderation.ts';
import { PROOF_REQUESTS, type ProofRequest } from '#contract/verification/proof-requests.ts';
import { recordAct } from '#server/audit-log.ts';
import {
  addNote,
  casesWithQuestions,
  lockNamedCase,
  markAsked,
  requireVersion,
} from '#server/cases/cases.ts';
import {
  aboutAccounts,
  aboutEmployers,
  aboutReview,
  type CaseRow,
  casesAbout,
  type claimCase,
  countOthers,
  countVisible,
  employerOf,
  isOverdue,
  isOwnDecision,
  kindOfOther,
  type prolongClaim,
  type Relations,
  type releaseCase,
  selectCase,
  selectCases,
  selectCasesOf,
  selectNextId,
  selectOldest,
  selectQueue,
  type Viewer,
  waitingRepresentatives,
} from '#server/cases/queue.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import { countModerators, loadProfiles } from '#server/features/accounts/identity/profiles.ts';
import {
  lockRepresentative,
  REPRESENTED,
} from '#server/features/accounts/identity/representative-queries.ts';
import { employersFound, employerWithMerged } from '#server/features/employers/employers.ts';
import { moderatedReplies } from '#server/features/replies/moderation.ts';
import { representativeFile } from '#server/features/replies/representatives/representatives.ts';
import { moderatedReviews } from '#server/features/reviews/moderation/moderated-reviews.ts';
import { REVIEWED } from '#server/features/reviews/rows/queries.ts';
import { doctorVersion } from '#server/features/verification/administration.ts';
import { holdClaim } from '#server/features/verification/claims.ts';
import { DEMANDED } from '#server/legal-demands/demands.ts';
import type { Caller } from '#server/plugins/access.ts';
import { staffNames } from '../staff-names.ts';
import {
  fileOf,
  headingsOf,
  historyOf,
  namedDecisions,
  namedNotes,
  OTHERS_MAX,
  similarTo,
} from './files.ts';

type AskDeps = Pick<Deps, 'db' | 'keys' | 'clock' | 'jobs'>;

const PEOPLE: Partial<Record<string, 'doctor' | 'representative'>> = {
  doctor: 'doctor',
  eviction: 'doctor',
  representative: 'representative',
};

/**
 * Sends the doctor or the representative of a case one of the fixed texts, and marks the case. The texts
 * and their time do not depend on other accounts. Throws `not_found`, `validation_error`,
 * `changed_meanwhile`, `asked_today`, `case_claimed`, and `case_closed`.
 */
export async function ask(
  deps: AskDeps,
  caller: Member,
  id: string,
  { request, version }: ProofRequestRequest,
): Promise<Case> {
  const viewer = await viewerOf(deps, caller);
  const row = await selectCase(deps.db, viewer, id);
  if (!row) throw new AppError('case_closed');
  const { kind, account_id } = row;
  const person = PEOPLE[kind];
  if (account_id === null || person === undefined) throw refused('It is about no person');
  if (!Object.hasOwn(PROOF_REQUESTS[person], request)) {
    throw refused(`This cannot be asked of a ${person}`);
  }
  const actor = caller.userId;
  await inTransaction(deps.db, async (trx) => {
    const { to, current, isWaiting } = await hold(deps, trx, person, account_id);
    const about = { kinds: [kind as CaseKind], subject: { account_id }, actor };
    await lockNamedCase(trx, deps.clock, id, about);
    requireVersion(version, current);
    if (!isWaiting) throw refused('This account does not wait for a decision');
    await markAsked(trx, deps.clock, { id, asked: request, asked_by: actor });
    const props = { request, isDoctor: person === 'doctor' };
    await deps.jobs.enqueue(trx, 'send-mail', { to, template: 'proof-asked', props });
    const act = { actor, action: `${person}.ask`, subject: account_id } as const;
    await recordAct(trx, deps.clock, { ...act, details: { asked_for: request } });
  });
  return toCase(deps, viewer, (await selectCase(deps.db, viewer, id)) ?? row);
}

/** Locks the account until the transaction ends. */
async function hold(deps: AskDeps, trx: Db, person: 'doctor' | 'representative', userId: string) {
  if (person === 'doctor') {
    const held = await holdClaim(deps.keys, trx, userId);
    if (!held) throw new AppError('not_found');
    const { user, doctor } = held;
    return { to: user.email, current: doctorVersion(doctor), isWaiting: !doctor.verified };
  }
  const row = await lockRepresentative(trx, userId);
  const file = row && (await representativeFile({ ...deps, db: trx }, userId));
  if (!file) throw new AppError('not_found');
  return { to: file.user.email, current: file.version, isWaiting: file.state === 'pending' };
}

const refused = (message: string) =>
  new AppError('validation_error', { fields: { request: [message] } });

/** The most urgent other cases of the same kind about the same employer. */
async function otherCases(
  { db }: Pick<Deps, 'db'>,
  viewer: Viewer,
  { id, kind }: CaseRow,
): Promise<CaseRow[]> {
  // It must look like the first decision about a review.
  if (kind === 'second_look') return [];
  const ofKind = { ...viewer, kinds: viewer.kinds.filter((one) => one === kind) };
  const employer = await employerOf(db, id, RELATIONS);
  if (employer === null) return [];
  const cases = await casesOfEmployer(db, ofKind, employer);
  const among = cases.filter((other) => other !== id);
  const page = { among, page: 1, page_size: OTHERS_MAX };
  return among.length === 0 ? [] : (await selectQueue(db, ofKind, page)).rows;
}

type QueueDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;
type Member = Pick<Caller, 'userId' | 'roles'>;
type CaseList = z.infer<typeof CasePage>;

/** One page of the open cases that the caller may see. */
export async function listCases(
  deps: QueueDeps,
  caller: Member,
  query: CaseQuery,
): Promise<{ cases: Case[]; count: number } & Pick<CaseList, 'kinds' | 'oldest'>> {
  const viewer = await viewerOf(deps, caller);
  const filters = { ...query, among: await searchCases(deps, viewer, query.search) };
  const [{ rows, count }, kinds, oldest] = await Promise.all([
    selectQueue(deps.db, viewer, filters),
    countVisible(deps.db, viewer),
    selectOldest(deps.db, viewer, filters),
  ]);
  return {
    cases: await toCases(deps, viewer, rows),
    count,
    kinds,
    oldest: (oldest as CaseList['oldest'] | undefined) ?? null,
  };
}

/** What has changed since the caller read a page with these cases. */
export async function readChanges(
  deps: QueueDeps,
  caller: Member,
  { ids, ...filters }: CaseChangesQuery,
): Promise<CaseChanges> {
  const viewer = await viewerOf(deps, caller);
  const among = await searchCases(deps, viewer, filters.search);
  const [rows, others] = await Promise.all([
    selectCases(deps.db, viewer, ids),
    countOthers(deps.db, viewer, { ...filters, among }, ids),
  ]);
  return { cases: await toCases(deps, viewer, rows), others };
}

/**
 * A case with everything that its decision needs. Throws `not_found`, and `permission_denied` if
 * another role decides it.
 */
export async function readCase(
  deps: QueueDeps,
  caller: Member,
  id: string,
  filters: CaseFilters,
): Promise<CaseFile> {
  const viewer = await viewerOf(deps, caller);
  const row = await selectCase(deps.db, viewer, id);
  if (!row) {
    const kind = await kindOfOther(deps.db, viewer, id);
    if (kind === null) throw new AppError('not_found');
    throw new AppError('permission_denied', { extra: { role: CASE_ROLES[kind] } });
  }
  const among = await searchCases(deps, viewer, filters.search);
  const isReview = row.kind === 'report' || row.kind === 'appeal';
  const [[shown], file, notes, decisions, acts, others, similar, next_id] = await Promise.all([
    toCases(deps, viewer, [row]),
    fileOf(deps, row),
    namedNotes(deps, id),
    isReview && row.review_id ? namedDecisions(deps, row.review_id) : [],
    historyOf(deps, row),
    otherCases(deps, viewer, row).then((rows) => toCases(deps, viewer, rows)),
    similarTo(deps, viewer, row),
    selectNextId(deps.db, viewer, { ...filters, among }, row),
  ]);
  if (!shown || !file) throw new AppError('not_found');
  return { case: shown, file, notes, decisions, acts, others, similar, next_id };
}

/** Claims a case, keeps it, or releases it. Throws `case_claimed`, `own_decision`, and `case_closed`. */
export async function changeClaim(
  deps: QueueDeps,
  caller: Member,
  id: string,
  change: typeof claimCase | typeof prolongClaim | typeof releaseCase,
): Promise<Case> {
  const viewer = await viewerOf(deps, caller);
  return toCase(deps, viewer, await change(deps.db, viewer, id));
}

async function toCase(deps: QueueDeps, viewer: Viewer, row: CaseRow): Promise<Case> {
  const [shown] = await toCases(deps, viewer, [row]);
  if (!shown) throw new AppError('case_closed');
  return shown;
}

async function toCases(deps: QueueDeps, viewer: Viewer, rows: readonly CaseRow[]): Promise<Case[]> {
  const staff = rows.flatMap(({ holder, asked_by }) =>
    [holder, asked_by].flatMap((id) => id ?? []),
  );
  const [headings, names, asked] = await Promise.all([
    headingsOf(deps, rows),
    staffNames(deps, staff),
    casesWithQuestions(
      deps.db,
      rows.map(({ id }) => id),
    ),
  ]);
  const now = deps.clock();
  return rows.flatMap((row) => {
    const heading = headings.get(row.id);
    const { id, kind, priority, opened_on, holder, held_until } = row;
    const isHeld = holder !== null && held_until !== null && held_until > now;
    // Its subject may have been deleted a moment ago.
    if (!heading) return [];
    return {
      id,
      asked:
        row.asked === null || row.asked_on === null
          ? null
          : {
              request: row.asked as ProofRequest,
              asked_on: row.asked_on,
              by: names.get(row.asked_by ?? '') ?? 'Deleted account',
              is_answered: row.answered,
            },
      has_question: asked.has(id),
      reports: null,
      excerpt: '',
      kind: kind as CaseKind,
      priority: priority as CasePriority,
      opened_on,
      period: row.period as Case['period'],
      due: row.due_on === null ? null : { on: row.due_on, is_overdue: isOverdue(viewer, row) },
      is_own_decision: isOwnDecision(viewer, row),
      ...heading,
      claim: isHeld
        ? {
            is_own: holder === viewer.userId,
            name: names.get(holder) ?? '',
            until: held_until.toISOString(),
          }
        : null,
    };
  });
}

/** Throws `case_closed`. */
export async function writeNote(
  deps: QueueDeps,
  caller: Member,
  id: string,
  note: { text: string; is_question: boolean },
): Promise<{ notes: CaseNote[] }> {
  await addNote(deps, await viewerOf(deps, caller), id, note);
  return { notes: await namedNotes(deps, id) };
}

/** Any review, with its decisions and open cases. Throws `not_found`. */
export async function readReviewFile(
  deps: QueueDeps,
  caller: Member,
  id: string,
): Promise<ReviewFile> {
  const viewer = await viewerOf(deps, caller);
  const [[moderated], [reply], decisions, cases] = await Promise.all([
    moderatedReviews(deps, [id]),
    moderatedReplies(deps, [id]),
    namedDecisions(deps, id),
    selectCasesOf(deps.db, viewer, id),
  ]);
  if (!moderated) throw new AppError('not_found');
  return { moderated, reply: reply ?? null, decisions, cases };
}

export const viewerOf = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, roles }: Member,
): Promise<Viewer> => ({
  userId,
  kinds: CASE_KIND_KEYS.filter((kind) => roles.includes(CASE_ROLES[kind])),
  isOnlyModerator: roles.includes('moderator') && (await countModerators(db)) === 1,
  now: clock(),
});

const RELATIONS: Relations = { reviews: REVIEWED, representatives: REPRESENTED, demands: DEMANDED };

/**
 * The cases that a search names: by an employer, a review, or a representative. Never by a doctor,
 * nor by what only an author would be found by.
 */
async function searchCases(
  deps: QueueDeps,
  viewer: Viewer,
  search: string | undefined,
): Promise<string[] | undefined> {
  if (!search) return undefined;
  const subject = searchedSubject(search);
  if (subject === null) return byName(deps, viewer, search);
  return 'employer' in subject
    ? casesOfEmployer(deps.db, viewer, Number(subject.employer))
    : casesAbout(deps.db, viewer, aboutReview(subject.review, RELATIONS));
}

/** The open cases about an employer, and those merged into it, that the viewer may see. */
async function casesOfEmployer(db: Db, viewer: Viewer, id: number): Promise<string[]> {
  const ids = await employerWithMerged(db, id);
  const employers = sql`select unnest(${ids}::integer[]) as id`;
  return casesAbout(db, viewer, aboutEmployers(employers, RELATIONS));
}

async function byName(deps: QueueDeps, viewer: Viewer, search: string) {
  const { db } = deps;
  const [employers, accounts] = await Promise.all([
    employersFound(db, search),
    representativesNamed(deps, viewer, search),
  ]);
  const found = await Promise.all([
    employers ? casesAbout(db, viewer, aboutEmployers(employers, RELATIONS)) : [],
    casesAbout(db, viewer, aboutAccounts(accounts)),
  ]);
  return found.flat();
}

const wordsOf = (text: string): string[] =>
  plainLetters(text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')).match(
    /[\p{L}\p{N}]+/gu,
  ) ?? [];

/** Names are sealed, so those of all waiting representatives are opened; nobody else's. */
async function representativesNamed({ db, keys }: QueueDeps, viewer: Viewer, search: string) {
  const words = wordsOf(search);
  if (words.length === 0 || !viewer.kinds.includes('representative')) return [];
  const profiles = await loadProfiles(keys, db, await waitingRepresentatives(db, viewer));
  return profiles
    .filter(({ user }) => {
      const name = wordsOf(`${user.first_name} ${user.last_name}`);
      return words.every((word) => name.some((part) => part.startsWith(word)));
    })
    .map(({ user }) => user.id);
}
