import { Command } from 'commander';
import { DOCTOR_MESSAGES } from '#contract/case-queue.ts';
import { type Doctor, hasValidCheckDigit } from '#contract/doctors.ts';
import { COMMAND } from '#server/audit-log.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { findProfile } from '#server/features/accounts/identity/profiles.ts';
import {
  ban,
  dismiss,
  evict,
  type Permission,
  setPermission,
  unban,
} from '#server/features/verification/administration.ts';
import { AWAITS_SECOND, type Decision } from '#server/features/verification/two-verifiers.ts';
import { readText } from './arguments.ts';
import { type CommandContext, type WithDatabase, withJobs } from './context.ts';
import { showDoctors } from './doctors-list.ts';
import { say } from './terminal.ts';

/** Options of a command that decides about a doctor. */
interface Given {
  reason?: string;
}

const WHO = 'NPI, email address, or account id';
const REASON = 'the reason, for the audit log; it must not name anyone';

interface Act {
  readonly name: string;
  readonly description: string;
  readonly permission: Permission;
  readonly granted: boolean;
  /** The resulting state, for the message. */
  readonly outcome: string;
}

const ACTS: readonly Act[] = [
  {
    name: 'verify',
    description:
      'Verifies a doctor by your own judgment. Takes the NPI from any other account; from one that has proven it, only together with a verifier.',
    permission: 'verified',
    granted: true,
    outcome: 'verified',
  },
  {
    name: 'unverify',
    description:
      'Revokes verification. Afterward, only an administrator can verify the doctor again.',
    permission: 'verified',
    granted: false,
    outcome: 'not verified',
  },
  {
    name: 'allow-posting',
    description: 'Lets a doctor post reviews once verified.',
    permission: 'can_post_reviews',
    granted: true,
    outcome: 'allowed to post reviews',
  },
  {
    name: 'deny-posting',
    description: 'Stops a doctor from posting reviews.',
    permission: 'can_post_reviews',
    granted: false,
    outcome: 'not allowed to post reviews',
  },
];

/** `curbside doctors …`: who a doctor is and what they may do, but never what they wrote. */
export function doctorsCommand(withDatabase: WithDatabase): Command {
  const doctors = new Command('doctors').description('Doctors and their permissions.');
  doctors
    .command('list')
    .description('Lists the doctors who are not verified.')
    .option('--all', 'include the verified ones')
    .action(withDatabase(showDoctors));
  for (const act of ACTS) {
    doctors
      .command(act.name)
      .description(act.description)
      .argument('<doctor>', WHO)
      .option('--reason <text>', REASON, readText)
      .action((who: string, given: Given) => withDatabase(carryOut)(act, who, given));
  }
  doctors
    .command('dismiss')
    .description("Closes a doctor's case without changing anything.")
    .argument('<doctor>', WHO)
    .option('--reason <text>', REASON, readText)
    .action(withDatabase(dismissCase));
  doctors
    .command('evict')
    .description("Revokes an account's verification and posting. Its NPI stays free for its owner.")
    .argument('<doctor>', WHO)
    .requiredOption('--reason <text>', REASON, readText)
    .action(withDatabase(evictDoctor));
  doctors
    .command('ban')
    .description('Bans a doctor, including other accounts with the same NPI.')
    .argument('<doctor>', WHO)
    .requiredOption('--reason <text>', REASON, readText)
    .action(withDatabase(banDoctor));
  doctors
    .command('unban')
    .description('Lifts the ban of an NPI. A banned account still needs `doctors verify`.')
    .argument('<npi>', '10 digits')
    .requiredOption('--reason <text>', REASON, readText)
    .action(withDatabase(unbanNpi));
  return doctors;
}

async function carryOut(context: CommandContext, act: Act, who: string, { reason }: Given) {
  const { config, terminal } = context;
  // In this mode, the decision is a proof like any other, so its reason must be on record.
  if (act.name === 'verify' && config.verification === 'proof' && reason === undefined) {
    throw new OperatorError('say why you verify this doctor: --reason "…"');
  }
  const doctor = await theDoctor(context, who);
  const { id, first_name, last_name } = doctor.user;
  const changed = await withJobs(context, (deps) =>
    setPermission(deps, decisionFor(reason), id, act.permission, act.granted),
  );
  if (changed === AWAITS_SECOND) return sayAwaiting(context);
  const already = changed ? '' : ' already';
  say(terminal, `Dr. ${first_name} ${last_name} is${already} ${act.outcome}.`);
  if (act.name === 'verify' && !doctor.can_post_reviews) {
    say(terminal, `Posting needs a separate permission: curbside doctors allow-posting ${who}`);
  }
}

async function dismissCase(context: CommandContext, who: string, { reason }: Given) {
  const { id, first_name, last_name } = (await theDoctor(context, who)).user;
  await withJobs(context, (deps) => dismiss(deps, decisionFor(reason), id));
  say(context.terminal, `The case of Dr. ${first_name} ${last_name} is closed.`);
}

async function evictDoctor(context: CommandContext, who: string, { reason }: Given) {
  const { id, first_name, last_name } = (await theDoctor(context, who)).user;
  const outcome = await withJobs(context, (deps) => evict(deps, decisionFor(reason), id));
  if (outcome === AWAITS_SECOND) return sayAwaiting(context);
  const name = `Dr. ${first_name} ${last_name}`;
  say(context.terminal, `${name} is evicted. The NPI stays free for its owner.`);
}

async function banDoctor(context: CommandContext, who: string, { reason }: Given) {
  const { id, first_name, last_name } = (await theDoctor(context, who)).user;
  const outcome = await withJobs(context, (deps) => ban(deps, decisionFor(reason), id));
  if (outcome === AWAITS_SECOND) return sayAwaiting(context);
  say(context.terminal, `Dr. ${first_name} ${last_name} is banned.`);
  if (outcome.npi) return;
  say(
    context.terminal,
    'The account has not proven that it holds its NPI, so the NPI is not banned: it may be someone else’s.',
  );
}

async function unbanNpi(context: CommandContext, npi: string, { reason }: Given) {
  if (!hasValidCheckDigit(npi)) throw new OperatorError(`${npi} is not an NPI`);
  const wasBanned = await unban(context, decisionFor(reason), npi);
  say(context.terminal, wasBanned ? DOCTOR_MESSAGES.unbanned : DOCTOR_MESSAGES.notBanned);
}

function sayAwaiting({ terminal }: CommandContext) {
  say(
    terminal,
    'An account has proven this NPI, so nothing has changed yet: a verifier must confirm this in the office on another day.',
  );
}

const decisionFor = (reason?: string): Decision => ({ actor: COMMAND, reason });

/** Finds the doctor that an operator means. @throws OperatorError if there is none */
async function theDoctor({ keys, db }: CommandContext, who: string): Promise<Doctor> {
  const doctor = (await findProfile(keys, db, who))?.doctor;
  if (!doctor)
    throw new OperatorError(`no doctor has the NPI, email address, or account id ${who}`);
  return doctor;
}
