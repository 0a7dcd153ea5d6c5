import type { Doctor } from '#contract/doctors.ts';
import { type Decision, findDoctor } from '#server/features/verification/administration.ts';
import { type JobQueue, startJobs } from '#server/jobs/queue.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { CommandContext } from './context.ts';
import { warn } from './terminal.ts';

/** What a command that decides about a doctor is told beside whom. */
export interface Given {
  reason?: string;
}

export const WHO = 'NPI, e-mail address or account id';
export const REASON = 'why; it stands in the audit log, and must name nobody';

export const decisionFor = (reason?: string): Decision => ({ actor: 'cli', reason });

/** Whom an operator means. @throws OperatorError when nobody */
export async function theDoctor(context: CommandContext, who: string): Promise<Doctor> {
  const doctor = await findDoctor(context, who);
  if (!doctor)
    throw new OperatorError(`no doctor has the NPI, e-mail address or account id ${who}`);
  return doctor;
}

/** With a queue for the mails that follow a decision. */
export async function withJobs<T>(
  context: CommandContext,
  work: (deps: CommandContext & { jobs: JobQueue }) => Promise<T>,
): Promise<T> {
  const { terminal, database, keys } = context;
  const log = { warn: () => {}, error: (line: string) => warn(terminal, line) };
  const jobs = await startJobs({ database, keys, log });
  return work({ ...context, jobs }).finally(() => jobs.stop());
}
