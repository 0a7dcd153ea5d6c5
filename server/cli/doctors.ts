import { Command } from 'commander';
import { type Permission, setPermission } from '#server/features/verification/administration.ts';
import { OperatorError } from '#server/operator-error.ts';
import { addBans } from './bans.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { decisionFor, type Given, REASON, theDoctor, WHO, withJobs } from './decisions.ts';
import { showDoctors } from './doctors-list.ts';
import { say } from './terminal.ts';
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

/** `curbside doctors …`: who a doctor is, and what they may do; never what they wrote. */
export function doctorsCommand(withDatabase: WithDatabase): Command {
  const doctors = new Command('doctors').description('Doctors, and what they may do.');
  doctors
    .command('list')
    .description('Shows the doctors who are not verified.')
    .option('--all', 'the verified ones too')
    .action(({ all = false }: { all?: boolean }) =>
      withDatabase((context) => showDoctors(context, { unverifiedOnly: !all })),
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
  addBans(doctors, withDatabase);
  return doctors;
}

async function carryOut(context: CommandContext, act: Act, who: string, reason?: string) {
  const { config, terminal } = context;
  // There it is a proof like any other, and somebody must be able to say what it rests on.
  if (act.name === 'verify' && config.verification === 'proof' && reason === undefined) {
    throw new OperatorError('say why you verify this doctor: --reason "…"');
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
