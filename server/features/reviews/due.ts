import type { Deps } from '#server/deps.ts';
import type { JobHandler } from '#server/jobs/payloads.ts';
import { deleteDeparted } from './departure.ts';
import { publishDue } from './publishing.ts';

/** Every minute: scheduled reviews go live, and those of former members go. */
export function reviewsDue(deps: Pick<Deps, 'db' | 'clock' | 'cache'>): JobHandler<'reviews-due'> {
  return async () => {
    await publishDue(deps)().finally(() => deleteDeparted(deps.db, deps.clock()));
  };
}
