import { Command } from 'commander';
import { type Doctor, hasValidCheckDigit, VerificationChecks } from '#contract/doctors.ts';
import {
  ban,
  type Decision,
  findDoctor,
  listDoctors,
  type Permission,
  setPermission,
  unban,
} from '#server/features/doctors/administration.ts';
import { type JobQueue, startJobs } from '#server/jobs/queue.ts';
import { PlainFault } from '#server/plain-fault.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { say, warn } from './terminal.ts';
import { readText } from './text-argument.ts';

interface Act {
  readonly name: string;
  readonly description: string;
  readonly permission: Permission;
  readonly granted: boolean;
  /** What then is so. */
  readonly outcome: string;
}

const ACTS: readonly Act[] = [
  {
    name: 'verify',
    description:
      'Verifies a doctor by your own judgment, which takes the NPI from any other account.',
    permission: 'verified',
    granted: true,
    outcome: 'verified',
  },
  {
    name: 'unverify',
    description: 'Takes that back; only an administrator can then verify the doctor again.',
    permission: 'verified',
    granted: false,
    outcome: 'not verified',
  },
  {
    name: 'allow-posting',
    description: 'Lets a doctor post reviews, once verified.',
    permission: 'can_post_reviews',
    granted: true,
    outcome: 'allowed to post reviews',
  },
  {
    name: 'deny-posting',
    description: 'Keeps a doctor from posting reviews.',
    permission: 'can_post_reviews',
    granted: false,
    outcome: 'not allowed to post reviews',
  },
];

interface Given {
  reason?: string;
}

const WHO = 'NPI, e-mail address or account id';
const REASON = 'why; it stands in the audit log, and must name nobody';

/** `curbside doctors …`: who a doctor is, and what they may do; never what they wrote. */
export function doctorsCommand(withDatabase: WithDatabase): Command {
  const doctors = new Command('doctors').description('Doctors, and what they may do.');
  doctors
    .command('list')
    .description('Shows the doctors who are not verified.')
    .option('--all', 'the verified ones too')
    .action(({ all = false }: { all?: boolean }) =>
      withDatabase((context) => list(context, { unverifiedOnly: !all })),
    );
  for (const act of ACTS) {
    doctors
      .command(act.name)
      .description(act.description)
      .argument('<doctor>', WHO)
      .option('--reason <text>', REASON, readText)
      .action((who: string, { reason }: Given) =>
        withDatabase((context) => carryOut(context, act, who, reason)),
      );
  }
  doctors
    .command('ban')
    .description('Keeps a doctor out, also under another account with the same NPI.')
    .argument('<doctor>', WHO)
    .requiredOption('--reason <text>', REASON, readText)
    .action((who: string, { reason }: Given) =>
      withDatabase((context) => banDoctor(context, who, reason)),
    );
  doctors
    .command('unban')
    .description(
      'Lifts the ban of an NPI. An account that was banned still waits for `doctors verify`.',
    )
    .argument('<npi>', '10 digits')
    .requiredOption('--reason <text>', REASON, readText)
    .action((npi: string, { reason }: Given) =>
      withDatabase(async (context) => {
        const wasBanned = await unbanNpi(context, npi, reason);
        say(context.terminal, wasBanned ? 'The ban is lifted.' : 'That NPI is not banned.');
      }),
    );
  return doctors;
}

async function list(context: CommandContext, options: { unverifiedOnly: boolean }) {
  const { terminal } = context;
  let count = 0;
  for await (const doctor of listDoctors(context, options)) {
    if (count === 0) say(terminal, HEADING);
    say(terminal, doctorRow(doctor));
    count += 1;
  }
  if (count === 0) say(terminal, options.unverifiedOnly ? 'No doctor is waiting.' : 'No doctors.');
}

async function carryOut(context: CommandContext, act: Act, who: string, reason?: string) {
  const { config, terminal } = context;
  // There it is a proof like any other, and somebody must be able to say what it rests on.
  if (act.name === 'verify' && config.verification === 'proof' && reason === undefined) {
    throw new PlainFault('say why you verify this doctor: --reason "…"');
  }
  const doctor = await theDoctor(context, who);
  const { id, first_name, last_name } = doctor.user;
  const changed = await withJobs(context, (deps) =>
    setPermission(deps, decisionFor(reason), id, act.permission, act.granted),
  );
  const already = changed ? '' : ' already';
  say(terminal, `Dr. ${first_name} ${last_name} is ${act.outcome}${already}.`);
  if (act.name === 'verify' && !doctor.can_post_reviews) {
    say(terminal, `Posting is a permission of its own: curbside doctors allow-posting ${who}`);
  }
}

async function banDoctor(context: CommandContext, who: string, reason?: string) {
  const { id, first_name, last_name } = (await theDoctor(context, who)).user;
  const { npi } = await withJobs(context, (deps) => ban(deps, decisionFor(reason), id));
  say(context.terminal, `Dr. ${first_name} ${last_name} is banned.`);
  if (npi) return;
  say(
    context.terminal,
    'The account has not proven to hold its NPI, so the NPI is not banned: it may be someone else’s.',
  );
}

function unbanNpi(context: CommandContext, npi: string, reason?: string): Promise<boolean> {
  if (!hasValidCheckDigit(npi)) throw new PlainFault(`${npi} is not an NPI`);
  return withJobs(context, (deps) => unban(deps, decisionFor(reason), npi));
}

const decisionFor = (reason?: string): Decision => ({ actor: 'cli', reason });

async function theDoctor(context: CommandContext, who: string): Promise<Doctor> {
  const doctor = await findDoctor(context, who);
  if (!doctor) throw new PlainFault(`no doctor has the NPI, e-mail address or account id ${who}`);
  return doctor;
}

/** With a queue for the mails that follow a decision. */
async function withJobs<T>(
  context: CommandContext,
  work: (deps: CommandContext & { jobs: JobQueue }) => Promise<T>,
): Promise<T> {
  const { terminal, database, keys } = context;
  const log = { warn: () => {}, error: (line: string) => warn(terminal, line) };
  const jobs = await startJobs({ database, keys, log });
  return work({ ...context, jobs }).finally(() => jobs.stop());
}

const row = (id: string, npi: string, verified: string, posts: string, rest: string) =>
  [id.padEnd(36), npi.padEnd(10), verified.padEnd(8), posts.padEnd(8), rest].join('  ');

const HEADING = row('ACCOUNT', 'NPI', 'VERIFIED', 'MAY POST', 'NAME, CHECKS BY THE REGISTRY');

function doctorRow({ user, npi, verified, can_post_reviews, verification }: Doctor): string {
  const name = `${user.first_name} ${user.last_name}`;
  const checks =
    verification.status === 'pending' ? 'not yet made' : checksText(verification.checks);
  return row(user.id, npi, yesNo(verified), yesNo(can_post_reviews), `${name}: ${checks}`);
}

const CHECKS = Object.keys(VerificationChecks.shape) as (keyof VerificationChecks)[];

function checksText(checks: VerificationChecks): string {
  const answer = (passed: boolean | null) => (passed === null ? '?' : yesNo(passed));
  return CHECKS.map((check) => `${check.replace('_', ' ')} ${answer(checks[check])}`).join(', ');
}

const yesNo = (answer: boolean) => (answer ? 'yes' : 'no');
