import { Command } from 'commander';
import * as z from 'zod/mini';
import type { Case, CaseFile, FirstDecision } from '#contract/case-queue.ts';
import { CASE_KIND_KEYS, CASE_KINDS, CASE_PRIORITIES, type CaseKind } from '#contract/cases.ts';
import type { ModeratedReply, ModeratedReview, Report } from '#contract/review-moderation.ts';
import { DECISION_OUTCOMES, REVIEW_RULES } from '#contract/review-rules.ts';
import { unstaffedText } from '#contract/staff-roles.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { listCases, readCase } from '#server/features/office/queue/service.ts';
import { listStaff } from '#server/features/office/staff/appointments.ts';
import { paragraphsOf } from '#server/features/reviews/rows/review-content.ts';
import { readUuid } from './arguments.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { doctorRow } from './doctors-list.ts';
import { shownFact } from './employers.ts';
import { demandLine } from './legal.ts';
import { representativeLine } from './representatives.ts';
import { say } from './terminal.ts';

/** An operator may see every case, and claims none. */
const OPERATOR = {
  userId: '00000000-0000-0000-0000-000000000000',
  roles: ['owner', 'moderator', 'verifier', 'curator'],
} as const;
const SHOWN = 100;

/** `curbside cases …`: what waits for a decision, as on the page of the office. */
export function casesCommand(withDatabase: WithDatabase): Command {
  const cases = new Command('cases').description('What waits for a decision in the office.');
  cases
    .command('list')
    .description('Lists the open cases, most urgent first.')
    .option('--kind <kind>', `only ${CASE_KIND_KEYS.join(', ')}`)
    .action(withDatabase(showQueue));
  cases
    .command('show <id>')
    .description('Shows what a case is about, and the command that decides it.')
    .action(withDatabase(showCase));
  return cases;
}

async function showQueue(context: CommandContext, { kind }: { kind?: string }) {
  const known = z.optional(z.enum(CASE_KIND_KEYS)).safeParse(kind);
  if (!known.success) throw new OperatorError(`a kind is one of ${CASE_KIND_KEYS.join(', ')}`);
  const query = { kind: known.data, page: 1, page_size: SHOWN };
  const { cases, count } = await listCases(context, OPERATOR, query);
  for (const one of cases) say(context.terminal, headingOf(one));
  if (count === 0) say(context.terminal, 'No cases are waiting.');
  if (count > cases.length) say(context.terminal, `and ${count - cases.length} more`);
  const { unstaffed } = await listStaff(context);
  for (const one of unstaffed) say(context.terminal, unstaffedText(one));
}

function headingOf({ id, kind, priority, opened_on, title, detail, claim }: Case): string {
  const holder = claim ? `  claimed by ${claim.name}` : '';
  return `${id}  ${CASE_PRIORITIES[priority].padEnd(6)}  ${opened_on}  ${CASE_KINDS[kind]}: ${title}, ${detail}${holder}`;
}

async function showCase(context: CommandContext, id: string) {
  const caseId = readUuid(id, 'a case');
  const { case: shown, file } = await readCase(context, OPERATOR, caseId, {});
  for (const line of [headingOf(shown), '', ...linesOf(file), '', decisionOf(shown.kind, file)]) {
    say(context.terminal, line);
  }
}

function linesOf(file: CaseFile['file']): string[] {
  switch (file.type) {
    case 'review':
      return reviewLines(file);
    case 'doctor':
      return [doctorRow(file.doctor), ...file.doctor.first_decisions.map(firstDecisionLine)];
    case 'correction':
      return file.corrections.map(
        ({ field, value, source }) =>
          `${field}: ${shownFact(file.employer[field])} → ${shownFact(value)}, source: ${source}`,
      );
    case 'reply':
      return replyLines(file);
    case 'representative':
      return [representativeLine(file.representative)];
    case 'legal':
      return [demandLine(file.demand)];
    case 'employer':
      return [file.employer, ...file.candidates].map(
        ({ id, name, city, state }, at) =>
          `${at > 0 ? 'like ' : ''}${id}  ${name}, ${city ?? '?'} ${state ?? '?'}`,
      );
  }
}

const firstDecisionLine = ({ decision, by, decided_on, reason }: FirstDecision) =>
  `${decision}: decided first by ${by} on ${decided_on}; waits for a second verifier on another day. ${reason ?? ''}`.trimEnd();

function replyLines({ review, reply, reports }: ModeratedReply): string[] {
  const flags = [
    reply.is_removed && 'removed',
    reply.is_deleted && 'deleted by its employer',
    reply.other_employer !== null && `not shown: it belongs to ${reply.other_employer}`,
  ].filter(Boolean);
  const heading = [`reply to review ${review.id}`, ...flags].join(', ');
  return [heading, reply.text, ...reportLines(reports)];
}

const reportLines = (reports: readonly Report[]) =>
  reports.map(({ reason, note, reported_on }) => `reported ${reported_on}: ${reason} ${note}`);

function reviewLines({ review, reports, is_resubmitted, appeal }: ModeratedReview): string[] {
  const { removed_reason } = review;
  const against = appeal?.decision;
  return [
    `review ${review.id}${removed_reason === null ? '' : `, hidden: ${removed_reason}`}`,
    ...paragraphsOf(review),
    ...(is_resubmitted ? ['resubmitted: its author has edited it'] : []),
    ...reportLines(reports),
    ...(appeal && against
      ? [
          `${DECISION_OUTCOMES[against.outcome]} on ${against.decided_on}, "${REVIEW_RULES[against.rule].name}": ${against.note}`,
          `appeal: ${appeal.text}`,
        ]
      : []),
  ];
}

const DECIDED_WITH: Record<CaseKind, string | null> = {
  report: 'reviews keep|remove|hold|restore',
  appeal: 'reviews uphold|overturn',
  second_look: null,
  doctor: 'doctors verify|unverify|dismiss|evict|ban',
  eviction: 'doctors verify|dismiss|evict|ban',
  reply: 'reviews keep-reply|remove-reply',
  representative: 'representatives approve|refuse',
  legal: 'legal decide',
  employer: 'employers accept|merge|rename',
  correction: 'employers accept-correction|refuse-correction',
};

function decisionOf(kind: CaseKind, file: CaseFile['file']): string {
  const subject = subjectOf(file);
  const command = DECIDED_WITH[kind];
  return command ? `Decide with: curbside ${command} ${subject}` : 'Decide on the office page.';
}

function subjectOf(file: CaseFile['file']): string | number {
  switch (file.type) {
    case 'review':
      return file.review.id;
    case 'reply':
      return `${file.review.id} --read ${file.reply.version}`;
    case 'representative':
      return file.representative.user.id;
    case 'doctor':
      return file.doctor.user.id;
    case 'legal':
      return file.demand.id;
    case 'correction':
      return file.employer_id;
    default:
      return file.employer.id;
  }
}
