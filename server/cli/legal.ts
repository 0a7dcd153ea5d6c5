import { Command } from 'commander';
import {
  DEMAND_KIND_KEYS,
  DEMAND_KINDS,
  DEMAND_OUTCOME_KEYS,
  DEMAND_OUTCOMES,
} from '#contract/legal-demand-choices.ts';
import {
  type LegalDemand,
  LegalDemandCorrection,
  LegalDemandDecision,
  LegalDemandRequest,
} from '#contract/legal-demands.ts';
import { COMMAND } from '#server/audit-log.ts';
import {
  correctDemand,
  decideDemand,
  liftGag,
  listDemands,
  recordDemand,
} from '#server/features/office/legal/demands.ts';
import { explainFor, parse, readUuid } from './arguments.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { say } from './terminal.ts';

const readId = (text: string) => readUuid(text, 'a legal demand');
const explain = explainFor('legal demand');

/** `curbside legal …` */
export function legalCommand(withDatabase: WithDatabase): Command {
  const legal = new Command('legal').description('Legal demands and their outcomes.');
  legal
    .command('add <kind> <received-on>')
    .description('Records a legal demand. The author of the review is notified on the dashboard.')
    .option('--review <review>', 'the id or the URL of the review that it is about')
    .option('--jurisdiction <text>', 'a state or a court')
    .option('--sender <text>', 'who demands it')
    .option('--docket <text>', 'its docket number')
    .option('--due-on <day>', 'the last day to answer it')
    .option('--gagged', 'the law forbids telling the author')
    .addHelpText('after', `\nkind: ${DEMAND_KIND_KEYS.join(', ')}\nreceived-on: YYYY-MM-DD`)
    .action(withDatabase(add));
  legal
    .command('list')
    .description('Lists all legal demands, most recently received first.')
    .action(withDatabase(list));
  legal
    .command('decide <id> <outcome> <note>')
    .description('Records the outcome of a demand. The note is for the audit log.')
    .addHelpText('after', `\noutcome: ${DEMAND_OUTCOME_KEYS.join(', ')}`)
    .action(withDatabase(decide));
  legal
    .command('correct <id> <review> <note>')
    .description('Corrects which review a demand is about. The note is for the audit log.')
    .addHelpText('after', `\nreview: its id or its URL, or ${NO_REVIEW}`)
    .action(withDatabase(correct));
  legal
    .command('lift-gag <id>')
    .description('Lets the author see a demand, once the law no longer forbids it.')
    .action(withDatabase(lift));
  return legal;
}

const PAGE = 100;
/** Instead of a review: the demand is about none. */
const NO_REVIEW = 'none';

interface AddOptions {
  review?: string;
  jurisdiction?: string;
  sender?: string;
  docket?: string;
  dueOn?: string | null;
  gagged?: true;
}

async function add(
  context: CommandContext,
  kind: string,
  received_on: string,
  { gagged, dueOn = null, ...options }: AddOptions,
) {
  const given = { kind, received_on, is_gagged: gagged === true, due_on: dueOn, ...options };
  const request = parse(LegalDemandRequest, given);
  const demand = await recordDemand(context, COMMAND, request).catch(explain);
  say(context.terminal, demandLine(demand));
}

async function list(context: CommandContext) {
  for (let page = 1, left = 1; left > 0; page += 1) {
    const { demands, count } = await listDemands(context, { page, page_size: PAGE });
    for (const demand of demands) say(context.terminal, demandLine(demand));
    if (count === 0) say(context.terminal, 'No legal demand has been recorded.');
    left = count - page * PAGE;
  }
}

async function decide(context: CommandContext, id: string, outcome: string, note: string) {
  const decision = parse(LegalDemandDecision, { outcome, note });
  const demand = await decideDemand(context, COMMAND, readId(id), decision).catch(explain);
  say(context.terminal, demandLine(demand));
}

async function correct(context: CommandContext, id: string, given: string, note: string) {
  const review = given === NO_REVIEW ? '' : given;
  const correction = parse(LegalDemandCorrection, { review, note });
  const demand = await correctDemand(context, COMMAND, readId(id), correction).catch(explain);
  say(context.terminal, demandLine(demand));
}

async function lift(context: CommandContext, id: string) {
  say(context.terminal, demandLine(await liftGag(context, COMMAND, readId(id)).catch(explain)));
}

/** One line about a demand. */
export function demandLine(demand: LegalDemand): string {
  const { id, kind, received_on, jurisdiction, outcome, decided_on, review, is_gagged } = demand;
  const { sender, docket, due_on, has_document } = demand;
  return [
    id,
    DEMAND_KINDS[kind],
    received_on,
    jurisdiction,
    sender,
    docket,
    due_on && `due ${due_on}`,
    has_document && 'with its document',
    outcome === null ? 'Pending' : `${DEMAND_OUTCOMES[outcome]} (${decided_on})`,
    review && `review ${review.id}`,
    is_gagged && 'author not told',
  ]
    .filter(Boolean)
    .join('  ');
}
