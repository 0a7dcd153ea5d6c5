import { DEMAND_KINDS } from '#contract/legal-demands/legal-demand-choices.ts';
import { titleCase } from '#contract/names.ts';
import type { Case, CaseFile } from '#contract/office/case-queue.ts';
import type { CaseRow } from '#server/cases/queue.ts';
import type { Deps } from '#server/deps.ts';
import { loadProfile, loadProfiles } from '#server/features/accounts/identity/profiles.ts';
import { waitingCorrections } from '#server/features/employers/correction/corrections.ts';
import { readEmployerFile } from '#server/features/employers/curation/submitted-employers.ts';
import { employersByAnyId } from '#server/features/employers/employers.ts';
import { moderatedReplies } from '#server/features/replies/moderation.ts';
import {
  representativeFile,
  representedEmployers,
} from '#server/features/replies/representatives/representatives.ts';
import {
  moderatedReviews,
  reportedTexts,
} from '#server/features/reviews/moderation/moderated-reviews.ts';
import { undecidedReview } from '#server/features/reviews/moderation/second-look.ts';
import { selectDemandsByIds } from '#server/legal-demands/demands.ts';
import { toStaffDoctors } from '../doctors.ts';
import { toDemands } from '../legal/demands.ts';

type FileDeps = Pick<Deps, 'db' | 'keys' | 'clock'>;
type Heading = Pick<Case, 'title' | 'detail'> & Partial<Pick<Case, 'reports' | 'excerpt'>>;

/** A short description of each case, by case id. */
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
    [...texts].map(([id, { position_title, employer_name, text, reports }]) => [
      id,
      { title: position_title, detail: employer_name, excerpt: firstWords(text), reports },
    ]),
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
      const detail = doctor ? `NPI ${doctor.npi}` : employers.get(user.id)?.name;
      return detail === undefined ? [] : [[user.id, { title, detail }]];
    }),
  );
}

async function employerHeadings({ db }: FileDeps, ids: readonly number[]) {
  const employers = await employersByAnyId(db, ids);
  return new Map<number, Heading>(
    [...employers].map(([id, { name, city, state }]) => [
      id,
      { title: name, detail: [city, state].filter(Boolean).join(', ') },
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
