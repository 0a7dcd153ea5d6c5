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
  /** The resulting state, for the message. */
  readonly outcome: string;
}

const ACTS: readonly Act[] = [
  {
    name: 'verify',
    description: 'Verifies a doctor by your own judgment. Takes the NPI from any other account.',
    permission: 'verified',
    granted: true,
    outcome: 'verified',
  },
  {
    name: 'unverify',
    description: 'Revokes that. Afterwards only an administrator can verify the doctor again.',
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
  // In this mode the decision is a proof like any other, so its reason must be on record.
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
    say(terminal, `Posting needs a separate permission: curbside doctors allow-posting ${who}`);
  }
}
