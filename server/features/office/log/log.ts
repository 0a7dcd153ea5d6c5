import type { LogEntry, LogQuery } from '#contract/audit-log.ts';
import { logKindsFor, STAFF_ACTS, type StaffAct } from '#contract/logged-acts.ts';
import { type ActRow, COMMAND, selectActs } from '#server/audit-log.ts';
import type { Deps } from '#server/deps.ts';
import { representedEmployers } from '#server/features/accounts/service.ts';
import type { Caller } from '#server/plugins/access.ts';
import { actorName, staffNames } from '../staff-names.ts';

type LogDeps = Pick<Deps, 'db' | 'keys'>;

/** One page of what staff did, without the kinds of acts that the caller may not read. */
export async function readLog(
  deps: LogDeps,
  { roles }: Pick<Caller, 'roles'>,
  { kind, ...query }: LogQuery,
): Promise<{ entries: LogEntry[]; count: number }> {
  const kinds = logKindsFor(roles).filter((one) => kind === undefined || one === kind);
  const acts = kinds.flatMap((one) => Object.keys(STAFF_ACTS[one]) as StaffAct[]);
  const { rows, count } = await selectActs(deps.db, acts, query);
  return { entries: await toEntries(deps, rows), count };
}

async function toEntries({ db, keys }: LogDeps, rows: readonly ActRow[]): Promise<LogEntry[]> {
  const actors = rows.map(({ actor }) => actor).filter((actor) => actor !== COMMAND);
  const [staff, employers] = await Promise.all([
    staffNames({ db, keys }, [...actors, ...subjectsOf(rows, 'staff')]),
    representedEmployers(db, subjectsOf(rows, 'representatives')),
  ]);
  return rows.map(({ actor, action, subject, details, ...row }) => {
    // It would show the day on which the review was reported.
    const { days: _, ...shown } = details;
    return {
      ...row,
      act: action,
      actor: actorName(staff, actor),
      subject: subjectOf(action, subject, { staff, employers }),
      details: shown,
    };
  });
}

const isOf = (kind: keyof typeof STAFF_ACTS, act: StaffAct) => act in STAFF_ACTS[kind];

const subjectsOf = (rows: readonly ActRow[], kind: keyof typeof STAFF_ACTS) =>
  rows.filter(({ action }) => isOf(kind, action)).map(({ subject }) => subject);

interface Known {
  staff: ReadonlyMap<string, string>;
  /** For representatives. */
  employers: ReadonlyMap<string, { id: number }>;
}

/** The subject of an act. A doctor's account next to acts about reviews could reveal who wrote one. */
function subjectOf(act: StaffAct, subject: string, known: Known): LogEntry['subject'] {
  if (isOf('doctors', act)) return null;
  if (isOf('reviews', act) || isOf('replies', act)) return { type: 'review', id: subject };
  if (isOf('employers', act)) return { type: 'employer', id: Number(subject) };
  if (isOf('representatives', act)) {
    const employer = known.employers.get(subject);
    return employer ? { type: 'employer', id: employer.id } : null;
  }
  if (isOf('legal', act)) return { type: 'name', name: `Demand ${subject.slice(0, 8)}` };
  const name = isOf('staff', act) ? known.staff.get(subject) : subject;
  return name === undefined ? null : { type: 'name', name };
}
