import { Command } from 'commander';
import { type Doctor, VerificationChecks } from '#contract/doctors.ts';
import {
  findDoctor,
  listDoctors,
  type Permission,
  setPermission,
} from '#server/features/doctors/service.ts';
import { startJobs } from '#server/jobs/queue.ts';
import { PlainFault } from '#server/plain-fault.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { say, warn } from './terminal.ts';

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
    description: 'Marks a doctor as verified; who may then post is told by mail.',
    permission: 'verified',
    granted: true,
    outcome: 'verified',
  },
  {
    name: 'unverify',
    description: 'Takes that back.',
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
      .argument('<doctor>', 'NPI, e-mail address or account id')
      .action((who: string) => withDatabase((context) => carryOut(context, act, who)));
  }
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

async function carryOut(context: CommandContext, act: Act, who: string) {
  const { terminal, database, keys } = context;
  const doctor = await findDoctor(context, who);
  if (!doctor) throw new PlainFault(`no doctor has the NPI, e-mail address or account id ${who}`);
  const { id, first_name, last_name } = doctor.user;
  const log = { warn: () => {}, error: (line: string) => warn(terminal, line) };
  const jobs = await startJobs({ database, keys, log });
  try {
    const changed = await setPermission(
      { ...context, jobs },
      'cli',
      id,
      act.permission,
      act.granted,
    );
    const already = changed ? '' : ' already';
    say(terminal, `Dr. ${first_name} ${last_name} is ${act.outcome}${already}.`);
  } finally {
    await jobs.stop();
  }
  if (act.name === 'verify' && !doctor.can_post_reviews) {
    say(terminal, `Posting is a permission of its own: curbside doctors allow-posting ${who}`);
  }
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
