import * as z from 'zod/mini';

/** The body of every API error: RFC 9457 problem details, with extra members for the client. */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
  /** Same as `detail`. The client reads `message` first. */
  message: z.string(),
  request_id: z.string(),
  /** Field -> its errors. Only present if fields are invalid. */
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
  /** Same as `detail`; only under `/auth/`. */
  error: z.optional(z.string()),
});
export type Problem = z.infer<typeof Problem>;

/** A message for the user. */
export const Message = z.strictObject({ message: z.string() });
export type Message = z.infer<typeof Message>;
