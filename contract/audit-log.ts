import * as z from 'zod/mini';
import { LOG_KIND_KEYS, STAFF_ACTS, type StaffAct } from './logged-acts.ts';
import { pageOf, pageQuery } from './paging.ts';

/** `GET /admin/log/`: newest day first; unordered within a day. */
export const LogQuery = z.strictObject({
  ...pageQuery,
  kind: z.optional(z.enum(LOG_KIND_KEYS, 'Unknown kind of action')),
  month: z.optional(
    z.string().check(z.regex(/^[12]\d{3}-(0[1-9]|1[0-2])$/, 'Month must look like 2026-01')),
  ),
});
export type LogQuery = z.infer<typeof LogQuery>;

/** What a staff member or a command did. It names no doctor, author, voter, or reporter. */
export const LogEntry = z.strictObject({
  id: z.uuid(),
  happened_on: z.iso.date(),
  /** The name of the staff member, "Command", or "Deleted account". */
  actor: z.string(),
  act: z.enum(Object.values(STAFF_ACTS).flatMap((acts) => Object.keys(acts) as StaffAct[])),
  /** Never a doctor's account. */
  subject: z.nullable(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('review'), id: z.uuid() }),
      z.strictObject({ type: z.literal('employer'), id: z.int() }),
      z.strictObject({ type: z.literal('name'), name: z.string() }),
    ]),
  ),
  /** The reason, the rule, and anything else that the act names. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type LogEntry = z.infer<typeof LogEntry>;

export const LogPage = pageOf(LogEntry);
