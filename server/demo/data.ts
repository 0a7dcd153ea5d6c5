import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Insertable } from 'kysely';
import type { DB } from '#server/db/types.ts';

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
export const chance = (of: string): number =>
  createHash('sha256').update(`demo/${of}`).digest().readUInt32BE() / 2 ** 32;
