import { Command } from 'commander';
import { type Doctor, VerificationChecks } from '#contract/verification/doctors.ts';
import { COMMAND } from '#server/audit-log.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { findProfile } from '#server/features/accounts/identity/profiles.ts';
import {
  AWAITS_SECOND,
  ban,
  type Decision,
  listDoctors,
  type Permission,
  setPermission,
} from '#server/features/verification/administration.ts';
import { type CommandContext, type WithDatabase, withJobs } from './context.ts';
import { readText, say } from './terminal.ts';

/** Options of a command that decides about a doctor. */
interface Given {
  reason?: string;
}

const WHO = 'NPI, email address, or account id';
const REASON = 'the reason, for the audit log; it must not name anyone';

/** What a command grants. */
interface Grant {
  readonly permission: Permission;
  /** The resulting state, for the message. */
  readonly outcome: string;
}

const VERIFY: Grant = { permission: 'verified', outcome: 'verified' };
const ALLOW_POSTING: Grant = { permission: 'can_post_reviews', outcome: 'allowed to post reviews' };

/** `curbside doctors …`: who a doctor is and what they may do, but never what they wrote. */
export function doctorsCommand(withDatabase: WithDatabase): Command {
  const doctors = new Command('doctors').description('Doctors and their permissions.');
  doctors
    .command('list')
    .description('Lists the doctors who are not verified.')
    .option('--all', 'include the verified ones')
    .action(withDatabase(showDoctors));
  doctors
    .command('verify')
    .description(
      'Verifies a doctor by your own judgment. Takes the NPI from any other account; from one that has proven it, only together with a verifier.',
    )
    .argument('<doctor>', WHO)
    .option('--reason <text>', REASON, readText)
    .action((who: string, given: Given) => withDatabase(grant)(VERIFY, who, given));
  doctors
    .command('allow-posting')
    .description('Lets a doctor post reviews once verified.')
    .argument('<doctor>', WHO)
    .option('--reason <text>', REASON, readText)
    .action((who: string, given: Given) => withDatabase(grant)(ALLOW_POSTING, who, given));
  doctors
    .command('ban')
    .description('Bans a doctor, including other accounts with the same NPI.')
    .argument('<doctor>', WHO)
    .requiredOption('--reason <text>', REASON, readText)
    .action(withDatabase(banDoctor));
  return doctors;
}

/** Lists doctors: who is verified, who may post, and on what evidence. */
async function showDoctors(context: CommandContext, { all = false }: { all?: boolean }) {
  const { terminal } = context;
  let count = 0;
  for await (const doctor of listDoctors(context, { unverifiedOnly: !all })) {
    if (count === 0) say(terminal, HEADING);
    say(terminal, doctorRow(doctor));
    count += 1;
  }
  if (count === 0) say(terminal, all ? 'No doctors.' : 'No doctor is waiting.');
}

const row = (id: string, npi: string, verified: string, posts: string, rest: string) =>
  [id.padEnd(36), npi.padEnd(10), verified.padEnd(8), posts.padEnd(8), rest].join('  ');

const HEADING = row('ACCOUNT', 'NPI', 'VERIFIED', 'MAY POST', 'NAME, CHECKS BY THE REGISTRY');

/** One line about a doctor. */
function doctorRow({ user, npi, verified, can_post_reviews, verification }: Doctor): string {
  const name = `${user.first_name} ${user.last_name}`;
  const checks =
    verification.status === 'pending' ? 'not yet made' : checksText(verification.checks);
  return row(
    user.id,
    npi,
    yesNo(verified),
    yesNo(can_post_reviews),
    `${name}: ${checks}${proofsText(verification)}`,
  );
}

/** The proofs, which help an administrator decide between two claims. */
const proofsText = ({ proofs }: Doctor['verification']) =>
  proofs.map(({ kind, on }) => `, proven by ${kind} on ${on}`).join('');

const CHECKS = Object.keys(VerificationChecks.shape) as (keyof VerificationChecks)[];

function checksText(checks: VerificationChecks): string {
  const answer = (passed: boolean | null) => (passed === null ? '?' : yesNo(passed));
  return CHECKS.map((check) => `${check.replace('_', ' ')} ${answer(checks[check])}`).join(', ');
}

const yesNo = (answer: boolean) => (answer ? 'yes' : 'no');

async function grant(
  context: CommandContext,
  { permission, outcome }: Grant,
  who: string,
  { reason }: Given,
) {
  const { config, terminal } = context;
  const verifies = permission === 'verified';
  // In this mode, the decision is a proof like any other, so its reason must be on record.
  if (verifies && config.verification === 'proof' && reason === undefined) {
    throw new OperatorError('say why you verify this doctor: --reason "…"');
  }
  const doctor = await theDoctor(context, who);
  const { id, first_name, last_name } = doctor.user;
  const changed = await withJobs(context, (deps) =>
    setPermission(deps, decisionFor(reason), id, permission, true),
  );
  if (changed === AWAITS_SECOND) return sayAwaiting(context);
  say(terminal, `Dr. ${first_name} ${last_name} is${changed ? '' : ' already'} ${outcome}.`);
  if (verifies && !doctor.can_post_reviews) {
    say(terminal, `Posting needs a separate permission: curbside doctors allow-posting ${who}`);
  }
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
