import type { Command } from 'commander';
import { hasValidCheckDigit } from '#contract/doctors.ts';
import { ban, unban } from '#server/features/verification/administration.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { decisionFor, type Given, REASON, theDoctor, WHO, withJobs } from './decisions.ts';
import { say } from './terminal.ts';
import { readText } from './text-argument.ts';

/** `curbside doctors ban` and `unban`. */
export function addBans(doctors: Command, withDatabase: WithDatabase): void {
  doctors
    .command('ban')
    .description('Bans a doctor, including other accounts with the same NPI.')
    .argument('<doctor>', WHO)
    .requiredOption('--reason <text>', REASON, readText)
    .action((who: string, { reason }: Given) =>
      withDatabase((context) => banDoctor(context, who, reason)),
    );
  doctors
    .command('unban')
    .description('Lifts the ban of an NPI. A banned account still needs `doctors verify`.')
    .argument('<npi>', '10 digits')
    .requiredOption('--reason <text>', REASON, readText)
    .action((npi: string, { reason }: Given) =>
      withDatabase(async (context) => {
        const wasBanned = await unbanNpi(context, npi, reason);
        say(context.terminal, wasBanned ? 'The ban is lifted.' : 'That NPI is not banned.');
      }),
    );
}

async function banDoctor(context: CommandContext, who: string, reason?: string) {
  const { id, first_name, last_name } = (await theDoctor(context, who)).user;
  const { npi } = await withJobs(context, (deps) => ban(deps, decisionFor(reason), id));
  say(context.terminal, `Dr. ${first_name} ${last_name} is banned.`);
  if (npi) return;
  say(
    context.terminal,
    'The account has not proven that it holds its NPI, so the NPI is not banned: it may be someone else’s.',
  );
}

function unbanNpi(context: CommandContext, npi: string, reason?: string): Promise<boolean> {
  if (!hasValidCheckDigit(npi)) throw new OperatorError(`${npi} is not an NPI`);
  return withJobs(context, (deps) => unban(deps, decisionFor(reason), npi));
}
