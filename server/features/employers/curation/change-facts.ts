import { EMPLOYER_FACT_KEYS, type FactChange } from '#contract/employers/employer-facts.ts';
import type { Employer } from '#contract/employers/employers.ts';
import { versionOf } from '#server/cases/version.ts';
import type { Db } from '#server/db/open.ts';
import { AppError } from '#server/errors/app-error.ts';
import { updateCurated } from './curation-queries.ts';

/**
 * Changes facts of an employer, so that imports do not overwrite them. Throws `not_found` if the
 * employer does not exist or has been merged, and `validation_error` if another submitted one has
 * the name and the place.
 */
export async function changeFacts(trx: Db, id: number, change: FactChange): Promise<void> {
  const isKnown = await updateCurated(trx, id, change).catch((error: { constraint?: string }) => {
    if (error.constraint !== 'employers_custom_name') throw error;
    const fact = (['name', 'city', 'state'] as const).find((one) => one in change) ?? 'name';
    throw new AppError('validation_error', {
      fields: {
        [fact]: ['Another employer has this name and place. Please merge the two instead.'],
      },
    });
  });
  if (!isKnown) throw new AppError('not_found');
}

/** Of the facts of these employers. */
export const factsVersion = (...employers: readonly Employer[]): string =>
  versionOf(employers.map((employer) => EMPLOYER_FACT_KEYS.map((fact) => employer[fact])));
