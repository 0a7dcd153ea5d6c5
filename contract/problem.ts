import * as z from 'zod/mini';

/** Every refusal of the API: RFC 9457 problem details, with the members the client reads. */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  /** The same as `detail`: the client's error table reads `message` first. */
  message: z.string(),
  request_id: z.string(),
  /** Field -> what is wrong with it; only where fields are at fault. */
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
  /** The same as `detail`, under `/auth/` only. */
  error: z.optional(z.string()),
});
export type Problem = z.infer<typeof Problem>;

/** A bare sentence for the user. */
export const Message = z.strictObject({ message: z.string() });
export type Message = z.infer<typeof Message>;
