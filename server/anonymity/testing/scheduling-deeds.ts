import { publishScheduled } from '#server/features/reviews/scheduled/scheduled-reviews.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { type Deed, write } from './deeds.ts';
import type { World } from './world.ts';

/** Actions on scheduled reviews. */
export const SCHEDULING_DEEDS: Readonly<Record<string, Deed>> = {
  schedule: { weight: 14, run: (world, member) => write(world, member, 'later') },
  editScheduled: {
    weight: 2,
    async run({ scheduled, own, request }, member) {
      const [id] = own(member, scheduled);
      if (id) await request(member, 'PATCH', `/reviews/${id}/`, reviewOf(0, { cons: 'Edited' }));
    },
  },
  publishNow: {
    weight: 1,
    async run(world, member) {
      const { scheduled, own, request } = world;
      const [id] = own(member, scheduled);
      if (!id) return;
      const response = await request(member, 'POST', `/reviews/${id}/publish/`);
      if (response.statusCode === 200) goesLive(world, id);
    },
  },
  takeBack: {
    weight: 1,
    async run({ scheduled, own, request }, member) {
      const [id] = own(member, scheduled);
      if (!id) return;
      const response = await request(member, 'DELETE', `/reviews/${id}/`);
      if (response.statusCode === 204) scheduled.delete(id);
    },
  },
};

/** Publishes the reviews that are due, as the job does. */
export async function publish(world: World): Promise<void> {
  const { deps } = world.server;
  await publishScheduled(deps);
  const waiting = await deps.db.selectFrom('scheduled_reviews').select('id').execute();
  const ids = new Set(waiting.map(({ id }) => id));
  for (const id of world.scheduled.keys()) if (!ids.has(id)) goesLive(world, id);
}

function goesLive({ authors, scheduled }: World, id: string) {
  authors.set(id, scheduled.get(id) ?? '');
  scheduled.delete(id);
}
