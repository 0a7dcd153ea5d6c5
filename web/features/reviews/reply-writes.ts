import { replyEndpoints } from '#contract/endpoints/replies.ts';
import { call, pageWrites } from '#web/lib/write.ts';

/** What a representative does with a reply. */
export const replyWrites = pageWrites({
  writeReply: call(replyEndpoints.create),
  editReply: call(replyEndpoints.edit),
  deleteReply: call(replyEndpoints.delete),
});
