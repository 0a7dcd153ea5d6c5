import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Insertable } from 'kysely';
import { DAY_MS } from '#contract/limits.ts';
import { specialtyOfTitle } from '#contract/reviews/specialty-of-title.ts';
import { SPECIALTIES } from '#contract/specialties.ts';
import { FIRST_ROLES } from '#contract/staff-roles.ts';
import { toDay, toMinute } from '#server/anonymity/coarse-time.ts';
import { openCase } from '#server/cases/cases.ts';
import type { Db } from '#server/db/open.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { DB } from '#server/db/types.ts';
import type { Deps } from '#server/deps.ts';
import { addAdmin, addDoctor } from '#server/features/accounts/signup/signup.ts';
import { refreshTitles } from '#server/features/reviews/position-titles/suggestions.ts';
import { jobOf } from '#server/features/reviews/rows/review-authors.ts';
import {
  DEMO_ACCOUNTS,
  DEMO_ADMIN,
  DEMO_EVIDENCE,
  DEMO_VERIFIED,
  type DemoPasswords,
} from './passwords.ts';

type SeedDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'clock'>;

const SPREAD_DAYS = 1000;
const ROWS_PER_INSERT = 100;

/**
 * Seeds an empty database with demo data in one transaction. Returns false if it has demo data
 * already.
 */
export async function seedDemo(deps: SeedDeps, passwords: DemoPasswords): Promise<boolean> {
  const seeded = await deps.db
    .selectFrom('employers')
    .select('id')
    .where('source', '=', 'demo')
    .limit(1)
    .executeTakeFirst();
  if (seeded) return false;
  const data = await readDemoData();
  await inTransaction(deps.db, async (trx) => {
    const employerIds = await addEmployers(trx, data.employers);
    const authors = await addAccounts({ ...deps, db: trx }, data.doctors, passwords);
    const written = await addReviews({ ...deps, db: trx }, data.reviews, employerIds, authors);
    // The first author is the demo doctor, who has not voted yet.
    const [, ...voters] = authors;
    await addVotes({ ...deps, db: trx }, written, voters);
    await refreshTitles({ db: trx })({});
    await addInstitutions(trx);
    await addPhysicianCounts(trx, data.employers);
  });
  return true;
}

type DemoEmployer = Omit<Insertable<DB['employers']>, 'source' | 'source_id'>;
type DemoReview = Omit<
  Insertable<DB['reviews']>,
  'employer_id' | 'created_at' | 'overall_experience'
> & { employer: string; overall_experience: string | null };

const KINDS = ['hospital', 'training', 'clinic'] as const;

async function read<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(path.join(import.meta.dirname, 'data', name), 'utf8'));
}

/** Fictional employers, reviews, and doctors. None of them are real. */
export async function readDemoData() {
  const [employers, reviews, doctors] = await Promise.all([
    Promise.all(KINDS.map((kind) => read<DemoEmployer[]>(`${kind}-employers.json`))),
    Promise.all(KINDS.map((kind) => read<DemoReview[]>(`${kind}-reviews.json`))),
    read<{ first_name: string; last_name: string }[]>('doctors.json'),
  ]);
  return { employers: employers.flat(), reviews: reviews.flat(), doctors };
}

/** A pseudorandom number from 0 to 1. It is the same each time the demo is seeded. */
const chance = (of: string): number =>
  createHash('sha256').update(`demo/${of}`).digest().readUInt32BE() / 2 ** 32;

const MOST_VOTES = 12;

interface Written {
  id: string;
  author: string;
}

/** Adds votes by demo doctors. Most reviews get few votes or none. */
async function addVotes(
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

interface DemoPlace {
  city?: string | null | undefined;
  state?: string | null | undefined;
  bed_count?: number | null | undefined;
}

/**
 * How many of 1,000 physicians in a city have each common specialty. Every other specialty has one
 * or two.
 */
const COMMON: Readonly<Record<string, number>> = {
  'Internal Medicine': 130,
  'Family Medicine': 130,
  Pediatrics: 70,
  'Emergency Medicine': 60,
  'Hospital Medicine': 60,
  Anesthesiology: 55,
  Psychiatry: 50,
  'Diagnostic Radiology': 45,
  'Obstetrics & Gynecology': 45,
  'General Surgery': 30,
  'Cardiovascular Disease': 30,
  Neurology: 20,
  Gastroenterology: 20,
  'Hematology & Oncology': 20,
};
const RARE = 1.5;

/** Fictional counts for the cities of the demo's employers, in place of an imported registry. */
export function demoPhysicians(
  employers: readonly DemoPlace[],
): Insertable<DB['physician_counts']>[] {
  const beds = new Map<string, number>();
  for (const { city, state, bed_count } of employers) {
    if (!city || !state) continue;
    const place = `${state}/${city.toUpperCase()}`;
    beds.set(place, (beds.get(place) ?? 0) + (bed_count ?? 0));
  }
  return [...beds].flatMap(([place, total]) => {
    const [state = '', city = ''] = place.split('/');
    const thousands = (100 + 4 * total) / 1000;
    return SPECIALTIES.flatMap(({ name, codes: [specialty] }) => {
      const expected = (COMMON[name] ?? RARE) * thousands;
      const physicians = Math.floor(expected * (0.7 + 0.6 * chance(`${place}/${name}`)) + 0.5);
      return specialty && physicians > 0 ? [{ state, city, specialty, physicians }] : [];
    });
  });
}

/** Fictional institutions for trying each kind of mailbox with the emails at `/dev/mail`. */
async function addInstitutions(db: Db) {
  await db
    .insertInto('institution_domains')
    .values([
      { domain: 'hospital.example', kind: 'employer', name: 'Demo Hospital' },
      { domain: 'residency.example', kind: 'residency', name: 'Demo Residency' },
    ])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function addPhysicianCounts(db: Db, employers: DemoData['employers']) {
  const counts = demoPhysicians(employers);
  for (let from = 0; from < counts.length; from += ROWS_PER_INSERT) {
    await db
      .insertInto('physician_counts')
      .values(counts.slice(from, from + ROWS_PER_INSERT))
      .execute();
  }
}

type DemoData = Awaited<ReturnType<typeof readDemoData>>;

async function addEmployers(db: Db, employers: DemoData['employers']) {
  const rows = await db
    .insertInto('employers')
    .values(employers.map((employer, at) => ({ ...employer, source: 'demo', source_id: `${at}` })))
    .returning(['id', 'name'])
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

/** Adds the demo accounts, and doctors who only write reviews. Returns the ids of the authors. */
async function addAccounts(deps: SeedDeps, doctors: DemoData['doctors'], passwords: DemoPasswords) {
  const authors: string[] = [];
  const checked_on = toDay(deps.clock());
  for (const { about: _, evidence, ...account } of DEMO_ACCOUNTS) {
    const id = await addDoctor(deps, {
      ...account,
      password: passwords[account.email],
      evidence: { ...evidence, checked_on },
    });
    if (account.email.startsWith('doctor@')) authors.push(id);
    if (account.email.startsWith('pending@')) {
      const subject = { account_id: id };
      await openCase(deps.db, deps.clock, { kind: 'doctor', subject, priority: 2 });
    }
  }
  const { about: _, ...admin } = DEMO_ADMIN;
  await addAdmin(deps, {
    ...admin,
    password: passwords[admin.email],
    roles: FIRST_ROLES,
  });
  for (const [at, doctor] of doctors.entries()) {
    const npi = String(2_100_000_000 + at);
    const email = `demo-${at}@curbside.example`;
    authors.push(
      await addDoctor(deps, {
        ...doctor,
        email,
        npi,
        password: null,
        profile: DEMO_VERIFIED,
        evidence: { ...DEMO_EVIDENCE, checked_on },
      }),
    );
  }
  return authors;
}

async function addReviews(
  { db, keys, clock }: SeedDeps,
  reviews: DemoData['reviews'],
  employerIds: Map<string, number>,
  authors: string[],
): Promise<Written[]> {
  const now = clock();
  const jobs = new Set<string>();
  const written: Written[] = [];
  const rows = reviews.map(({ employer, ...review }, at) => {
    const employerId = employerIds.get(employer);
    if (!employerId) throw new Error(`demo review of an unknown employer: ${employer}`);
    const author = pickAuthor(authors, jobs, at, `${employerId}/${review.position_title}`);
    const id = randomUUID();
    written.push({ id, author });
    return {
      ...review,
      specialty: review.specialty ?? specialtyOfTitle(review.position_title),
      id,
      employer_id: employerId,
      created_at: writtenAt(at, review.end_year ?? null, now),
    };
  });
  const owned = rows.map((row, at) => ({
    review_id: row.id,
    author_key: keys.authorKey(written[at]?.author ?? ''),
    job: jobOf(row),
  }));
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    const to = from + ROWS_PER_INSERT;
    await db.insertInto('review_authors').values(owned.slice(from, to)).execute();
    await db.insertInto('reviews').values(rows.slice(from, to)).execute();
  }
  return written;
}

/**
 * The demo doctor writes every 80th review, and the others take turns. Nobody reviews a job twice.
 */
function pickAuthor(authors: string[], jobs: Set<string>, at: number, job: string): string {
  const start = at % 80 === 0 ? 0 : 1 + (at % (authors.length - 1));
  for (let step = 0; step < authors.length; step += 1) {
    const author = authors[(start + step) % authors.length];
    if (!author || jobs.has(`${author}/${job}`)) continue;
    jobs.add(`${author}/${job}`);
    return author;
  }
  throw new Error(`more demo reviews of ${job} than demo doctors`);
}

/**
 * Picks a minute in the last three years, after the job ended. It is the same each time the demo is
 * seeded.
 */
function writtenAt(at: number, endYear: number | null, now: Date): Date {
  const earliest = Math.max(
    now.getTime() - SPREAD_DAYS * DAY_MS,
    endYear === null ? 0 : Date.UTC(Math.min(endYear, now.getUTCFullYear()), 0, 1),
  );
  // Squared, so that recent months have the most reviews, as on a growing site.
  return toMinute(new Date(now.getTime() - chance(`${at}`) ** 2 * (now.getTime() - earliest)));
}
