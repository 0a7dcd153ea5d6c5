import type { Doctor } from '#contract/doctors.ts';
import { type Decision, findDoctor } from '#server/features/verification/administration.ts';
import { type JobQueue, startJobs } from '#server/jobs/queue.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { CommandContext } from './context.ts';
import { warn } from './terminal.ts';

/** Options of a command that decides about a doctor. */
export interface Given {
  reason?: string;
}

export const WHO = 'NPI, email address, or account id';
export const REASON = 'the reason, for the audit log; it must not name anyone';

export const decisionFor = (reason?: string): Decision => ({ actor: 'cli', reason });

/** Finds the doctor that an operator means. @throws OperatorError if there is none */
export async function theDoctor(context: CommandContext, who: string): Promise<Doctor> {
  const doctor = await findDoctor(context, who);
  if (!doctor)
    throw new OperatorError(`no doctor has the NPI, email address, or account id ${who}`);
  return doctor;
}

/** Runs work with a job queue, for the mail that follows a decision. */
export async function withJobs<T>(
  context: CommandContext,
  work: (deps: CommandContext & { jobs: JobQueue }) => Promise<T>,
): Promise<T> {
  const { terminal, database, keys } = context;
  const log = { warn: () => {}, error: (line: string) => warn(terminal, line) };
  const jobs = await startJobs({ database, keys, log });
  return work({ ...context, jobs }).finally(() => jobs.stop());
}
