import { Command, Option } from 'commander';
import {
  INSTITUTION_KINDS,
  type InstitutionDomain,
  type InstitutionKind,
  listDomain,
  listEmployersDomains,
  selectDomains,
  unlistDomain,
} from '#server/features/verification/mailbox/domains.ts';
import { OperatorError } from '#server/operator-error.ts';
import { readText } from './arguments.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { say } from './terminal.ts';

interface AddOptions {
  kind: InstitutionKind;
  name: string;
}

/** `curbside domains …`: institutions whose mailboxes verify doctors. */
export function domainsCommand(withDatabase: WithDatabase): Command {
  const domains = new Command('domains').description(
    'Domains of institutions whose mailboxes verify doctors.',
  );
  domains.command('list').description('Lists all domains.').action(withDatabase(list));
  domains
    .command('add')
    .description('Adds a domain, or changes its kind and name. Subdomains do not count.')
    .argument('<domain>', 'the part after the @')
    .addOption(
      new Option('--kind <kind>', 'the kind of institution')
        .choices(INSTITUTION_KINDS)
        .makeOptionMandatory(),
    )
    .requiredOption('--name <name>', "the institution's name", readText)
    .action(withDatabase(add));
  domains
    .command('remove <domain>')
    .description('Removes a domain. Doctors verified with it stay verified.')
    .action(withDatabase(remove));
  domains
    .command('from-employers')
    .description("Adds the domains of imported employers' websites. Review the result afterward.")
    .action(withDatabase(addEmployers));
  return domains;
}

const row = ({ domain, kind, name }: InstitutionDomain) =>
  `${domain.padEnd(40)}  ${kind.padEnd(9)}  ${name}`;

async function list({ db, terminal }: CommandContext) {
  const domains = await selectDomains(db);
  for (const domain of domains) say(terminal, row(domain));
  if (domains.length === 0) say(terminal, 'No domains are listed.');
}

async function add(context: CommandContext, domain: string, { kind, name }: AddOptions) {
  const listed = await listDomain(context, { domain, kind, name });
  say(context.terminal, row({ domain: listed, kind, name }));
}

async function remove(context: CommandContext, domain: string) {
  if (!(await unlistDomain(context, domain))) throw new OperatorError(`${domain} is not listed`);
  say(context.terminal, `${domain} is no longer listed.`);
}

async function addEmployers(context: CommandContext) {
  const { terminal } = context;
  const { added, shared, public: open } = await listEmployersDomains(context);
  for (const domain of added) say(terminal, row(domain));
  for (const { domain, employers } of shared) {
    say(terminal, `${domain} skipped: ${employers} employers share it`);
  }
  for (const domain of open) say(terminal, `${domain} skipped: anyone can have an address there`);
  say(terminal, `${added.length} added, ${shared.length + open.length} left out`);
}
