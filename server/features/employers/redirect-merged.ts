import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MergedEmployer } from '#contract/employers/employers.ts';

/** If the employer has been merged, redirects to the same path of the remaining one. */
export function redirectMerged(
  currentId: number | null,
  request: FastifyRequest<{ Params: { id: number } }>,
  reply: FastifyReply,
): MergedEmployer | null {
  if (currentId === null || currentId === request.params.id) return null;
  const location = request.url.replace(/(?<=\/employers\/)\d+/, String(currentId));
  reply.code(301).header('location', location);
  return { merged_into: currentId };
}
