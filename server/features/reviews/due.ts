import type { Deps } from '#server/deps.ts';
import type { JobHandler } from '#server/jobs/payloads.ts';
import { deleteDeparted } from './departed-authors.ts';
import { publishScheduled } from './publish-scheduled.ts';

/** Every minute: scheduled reviews go live, and those of former members go. */
export function reviewsDue(deps: Pick<Deps, 'db' | 'clock' | 'cache'>): JobHandler<'reviews-due'> {
  return async () => {
    await publishScheduled(deps)().finally(() => deleteDeparted(deps.db, deps.clock()));
  };
}
