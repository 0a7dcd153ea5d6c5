import * as z from 'zod/mini';
import { EmployerId } from '../employers/employers.ts';
import { pageOf, pageQuery } from '../paging.ts';
import { LOG_KIND_KEYS, LOG_SUBJECTS, STAFF_ACTS, type StaffAct } from './logged-acts.ts';

const logFilters = {
  kind: z.optional(z.enum(LOG_KIND_KEYS, 'Unknown kind of action')),
  month: z.optional(
    z.string().check(z.regex(/^[12]\d{3}-(0[1-9]|1[0-2])$/, 'Month must look like 2026-01')),
  ),
  /** The account of the staff member who acted. */
  staff: z.optional(z.uuid('Must be the id of a staff member')),
  review: z.optional(z.uuid('Must be the id of a review')),
  /** Its own acts, those before a merge, and those about its representatives. */
  employer: z.optional(EmployerId),
  demand: z.optional(z.uuid('Must be the id of a legal demand')),
};

const isAboutOne = z.refine<Partial<Record<(typeof LOG_SUBJECTS)[number], unknown>>>(
  (query) => LOG_SUBJECTS.filter((name) => query[name] !== undefined).length <= 1,
  'Please choose one of review, employer, and legal demand',
);

/** `GET /admin/log/csv/`. */
export const LogFilters = z.strictObject(logFilters).check(isAboutOne);
export type LogFilters = z.infer<typeof LogFilters>;

/** `GET /admin/log/`: newest day first; unordered within a day. */
export const LogQuery = z.strictObject({ ...pageQuery, ...logFilters }).check(isAboutOne);
export type LogQuery = z.infer<typeof LogQuery>;

/** What a staff member or a command did. It names no doctor, author, voter, or reporter. */
export const LogEntry = z.strictObject({
  id: z.uuid(),
  happened_on: z.iso.date(),
  /** The name of the staff member, "Command", or "Deleted account". */
  actor: z.string(),
  /** The account of the staff member; null for a command. */
  actor_id: z.nullable(z.uuid()),
  act: z.enum(Object.values(STAFF_ACTS).flatMap((acts) => Object.keys(acts) as StaffAct[])),
  /** Never a doctor's account. */
  subject: z.nullable(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('review'), id: z.uuid() }),
      z.strictObject({ type: z.literal('employer'), id: z.int(), name: z.nullable(z.string()) }),
      z.strictObject({ type: z.literal('demand'), id: z.uuid() }),
      z.strictObject({ type: z.literal('name'), name: z.string() }),
    ]),
  ),
  /** The reason, the rule, and anything else that the act names. */
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type LogEntry = z.infer<typeof LogEntry>;

export const LogPage = pageOf(LogEntry);

/**
 * The matching entries as CSV (RFC 4180), newest day first, up to `LOG_EXPORT_MAX`, and how many
 * there are. No cell is read as a formula.
 */
export const LogExport = z.strictObject({ csv: z.string(), count: z.int() });
export type LogExport = z.infer<typeof LogExport>;
