import { type Doctor, VerificationChecks } from '#contract/verification/doctors.ts';
import { listDoctors } from '#server/features/verification/administration.ts';
import type { CommandContext } from './context.ts';
import { say } from './terminal.ts';

/** Lists doctors: who is verified, who may post, and on what evidence. */
export async function showDoctors(context: CommandContext, { all = false }: { all?: boolean }) {
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
