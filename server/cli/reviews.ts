import { Command, Option } from 'commander';
import * as z from 'zod/mini';
import { AppealDecisionRequest } from '#contract/review-appeals.ts';
import { KeepingRequest, RemovalRequest } from '#contract/review-moderation.ts';
import { DECISION_OUTCOMES, REVIEW_RULE_KEYS } from '#contract/review-rules.ts';
import { COMMAND } from '#server/audit-log.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { findProfile, moderatorIds } from '#server/features/accounts/identity/profiles.ts';
import { decideReply, type ReplyDecision } from '#server/features/replies/moderation.ts';
import { decideAppeal } from '#server/features/reviews/moderation/appeals.ts';
import { decideReview, type ReviewDecision } from '#server/features/reviews/moderation/decide.ts';
import { explainFor, parse, readText } from './arguments.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { say } from './terminal.ts';

/**
 * The moderator who decides about a review by command: the one with this address, or the only one.
 * So an appeal never goes to the same moderator (docs/moderation.md). If there is no moderator, it
 * is the command itself.
 * @throws OperatorError if it is not clear which one
 */
async function deciderOf(
  { keys, db }: Pick<CommandContext, 'keys' | 'db'>,
  email: string | undefined,
): Promise<string> {
  const moderators = await moderatorIds(db);
  if (email !== undefined) {
    const id = (await findProfile(keys, db, email))?.user.id;
    if (id !== undefined && moderators.includes(id)) return id;
    throw new OperatorError(`no moderator has the email address ${email}`);
  }
  if (moderators.length > 1) {
    throw new OperatorError('there are several moderators. Say who decides: --as EMAIL');
  }
  return moderators[0] ?? COMMAND;
}

const REVIEW = 'the id or the URL of a review';
const RULE = new Option('--rule <rule>', 'the rule of the guidelines').choices(REVIEW_RULE_KEYS);
const DECIDER = new Option('--as <email>', 'the moderator who decides, if there are several');
const NO_GROUNDS = { rule: 'general', note: '' } as const;

const HIDING = {
  remove: 'Removes a review from the public pages.',
  hold: 'Hides a review until its author edits it and a moderator agrees.',
} as const;
const SHOWING = {
  keep: 'Leaves a reported review as it is.',
  restore: 'Publishes a hidden review again.',
} as const;
const REPLIES = {
  keep: 'Leaves a reported reply as it is, or publishes a removed one again.',
  remove: 'Removes the reply of an employer from the public pages.',
} as const;
const ANSWERS = {
  uphold: 'Answers an appeal: the review stays hidden.',
  overturn: 'Answers an appeal: the review is published again.',
} as const;

interface Given {
  /** The email address of the moderator who decides. */
  as?: string;
}

const explain = explainFor('review');

/** `curbside reviews …`: moderators' decisions. Nothing shows who wrote or reported. */
export function reviewsCommand(withDatabase: WithDatabase): Command {
  const reviews = new Command('reviews').description('Decisions about reviews, and appeals.');
  const add = (name: string, description: string) =>
    reviews.command(name).description(description).argument('<review>', REVIEW);
  for (const [outcome, description] of entriesOf(HIDING)) {
    add(outcome, description)
      .addOption(RULE)
      .addOption(DECIDER)
      .requiredOption('--reason <text>', 'shown to its author', readText)
      .action((review: string, { as, ...given }: Given) => {
        const { reason: note, ...grounds } = parse(RemovalRequest, given);
        return withDatabase(decide)(review, as, { ...grounds, note, outcome });
      });
  }
  for (const [outcome, description] of entriesOf(SHOWING)) {
    add(outcome, description)
      .addOption(RULE)
      .addOption(DECIDER)
      .option('--note <text>', 'shown to the author of a restored review', readText)
      .action((review: string, { as, ...given }: Given) => {
        const decision = { ...NO_GROUNDS, ...parse(KeepingRequest, given), outcome };
        return withDatabase(decide)(review, as, decision);
      });
  }
  for (const [outcome, description] of entriesOf(ANSWERS)) {
    add(outcome, description)
      .addOption(DECIDER)
      .requiredOption('--answer <text>', 'shown to the author', readText)
      .action((review: string, { as, ...given }: Given) => {
        const decision = parse(AppealDecisionRequest, { ...given, outcome });
        return withDatabase(answerAppeal)(review, as, decision);
      });
  }
  for (const [outcome, description] of entriesOf(REPLIES)) {
    const command = add(`${outcome}-reply`, description)
      .addOption(RULE)
      .option('--read <version>', 'the version that `curbside cases show` printed', readText);
    if (outcome === 'remove') {
      command.requiredOption('--reason <text>', 'shown to the employer', readText);
    }
    command.action((review: string, given: { reason?: string; read?: string }) => {
      const { reason: note = '', read: version, ...grounds } = given;
      const request = parse(KeepingRequest, { ...grounds, note, version });
      const decision = { ...NO_GROUNDS, ...request, outcome };
      return withDatabase(decideAboutReply)(review, decision);
    });
  }
  return reviews;
}

async function decide(
  context: CommandContext,
  review: string,
  as: string | undefined,
  decision: Omit<ReviewDecision, 'reviewId'>,
) {
  const reviewId = readId(review);
  const decider = await deciderOf(context, as);
  await decideReview(context, decider, { ...decision, reviewId }).catch(explain);
  say(context.terminal, `${reviewId}: ${DECISION_OUTCOMES[decision.outcome]}.`);
}

async function decideAboutReply(
  context: CommandContext,
  review: string,
  decision: Omit<ReplyDecision, 'reviewId'>,
) {
  const reviewId = readId(review);
  await decideReply(context, COMMAND, { ...decision, reviewId }).catch(explain);
  const done = decision.outcome === 'remove' ? 'removed' : 'kept';
  say(context.terminal, `${reviewId}: the reply is ${done}.`);
}

async function answerAppeal(
  context: CommandContext,
  review: string,
  as: string | undefined,
  decision: AppealDecisionRequest,
) {
  const id = readId(review);
  const decider = await deciderOf(context, as);
  await decideAppeal(context, decider, id, decision).catch(explain);
  const outcome = decision.outcome === 'overturn' ? 'Published again' : 'Stays hidden';
  say(context.terminal, `${id}: ${outcome}.`);
}

/** @throws OperatorError unless the text is an id, or ends with one */
function readId(text: string): string {
  const id = z.uuid().safeParse(text.replace(/\/$/, '').split('/').at(-1));
  if (!id.success) throw new OperatorError(`${text} is not the id or the URL of a review`);
  return id.data;
}

const entriesOf = <T extends object>(texts: T) => Object.entries(texts) as [keyof T, string][];
