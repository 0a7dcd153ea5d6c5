import type { FactChange } from '#contract/employer-facts.ts';
import { AppError } from '#server/app-error.ts';
import type { Db } from '#server/db/open.ts';
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
