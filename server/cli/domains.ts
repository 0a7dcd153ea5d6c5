import { Command, InvalidArgumentError, Option } from 'commander';
import { MAILBOX_PROOFS_MAX } from '#server/config/settings.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import {
  INSTITUTION_KINDS,
  type InstitutionDomain,
  type InstitutionKind,
  listDomain,
  listEmployersDomains,
  selectDomains,
  setQuota,
  unlistDomain,
} from '#server/features/verification/mailbox/domains.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { readText, say } from './terminal.ts';

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
    .command('quota')
    .description('Sets how many proofs by the mailboxes of a domain count in a month.')
    .argument('<domain>', 'a listed domain')
    .argument('[proofs]', 'without it, the setting MAILBOX_PROOFS_PER_MONTH', readProofs)
    .action(withDatabase(quota));
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

function readProofs(text: string): number {
  const proofs = Number(text);
  if (/^\d+$/.test(text) && proofs <= MAILBOX_PROOFS_MAX) return proofs;
  throw new InvalidArgumentError(`must be a number from 0 to ${MAILBOX_PROOFS_MAX}`);
}

const row = ({ domain, kind, name, proofs_per_month }: InstitutionDomain) =>
  `${domain.padEnd(40)}  ${kind.padEnd(9)}  ${name}${
    proofs_per_month === null ? '' : `, ${proofs_per_month} proofs a month`
  }`;

async function list({ db, terminal }: CommandContext) {
  const domains = await selectDomains(db);
  for (const domain of domains) say(terminal, row(domain));
  if (domains.length === 0) say(terminal, 'No domains are listed.');
}

async function add(context: CommandContext, domain: string, { kind, name }: AddOptions) {
  say(context.terminal, row(await listDomain(context, { domain, kind, name })));
}

async function quota(context: CommandContext, domain: string, proofs: number | undefined) {
  if (!(await setQuota(context, domain, proofs ?? null))) {
    throw new OperatorError(`${domain} is not listed`);
  }
  const { config, terminal } = context;
  say(terminal, `${domain}: ${proofs ?? config.mailboxProofsPerMonth} proofs a month count.`);
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
