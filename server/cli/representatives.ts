import { Command } from 'commander';
import * as z from 'zod/mini';
import {
  REPRESENTATIVE_DECISIONS,
  type RepresentativeDecision,
  type RepresentativeFile,
} from '#contract/replies/representatives.ts';
import { COMMAND } from '#server/audit-log.ts';
import type { Db } from '#server/db/open.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { findProfile } from '#server/features/accounts/identity/profiles.ts';
import { selectRepresentativeIds } from '#server/features/accounts/identity/representative-queries.ts';
import { employersByAnyId } from '#server/features/employers/employers.ts';
import { decideRepresentative } from '#server/features/office/representatives.ts';
import { representativeFile } from '#server/features/replies/representatives/representatives.ts';
import { selectOtherWriters } from '#server/features/reviews/rows/reply-queries.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { explainFor, readText, say } from './terminal.ts';

const DESCRIPTIONS: Record<RepresentativeDecision, string> = {
  approve: 'Lets a representative reply to reviews of the employer.',
  refuse: 'Revokes that, and deletes the replies that the account wrote.',
};

/** `curbside representatives …`: employers' representatives. */
export function representativesCommand(withDatabase: WithDatabase): Command {
  const representatives = new Command('representatives').description(
    "Employers' representatives, who reply to reviews.",
  );
  representatives.command('list').description('Lists them.').action(withDatabase(list));
  for (const decision of REPRESENTATIVE_DECISIONS) {
    representatives
      .command(`${decision} <who>`)
      .description(`${DESCRIPTIONS[decision]} Takes an email address or an account id.`)
      .requiredOption(
        '--reason <reason>',
        'for the audit log, and for a refused representative',
        readText,
      )
      .action(
        withDatabase((context: CommandContext, who: string, { reason }: { reason: string }) =>
          decide(context, decision, who, reason),
        ),
      );
  }
  return representatives;
}

/** One line about a representative. */
const representativeLine = ({
  user,
  state,
  work_title,
  employer,
  mailbox_domain,
}: RepresentativeFile) =>
  [
    state.padEnd(8),
    user.email.padEnd(40),
    `${user.first_name} ${user.last_name}, ${work_title}`,
    `${employer.name} (website: ${employer.website ?? 'not known'}; mailbox: ${mailbox_domain})`,
  ].join('  ');

async function list({ db, keys, terminal }: CommandContext) {
  const ids = await selectRepresentativeIds(db);
  const former = await otherWriters(db, ids);
  for (const id of ids) {
    const file = await representativeFile({ db, keys }, id);
    if (file) say(terminal, representativeLine(file));
  }
  for (const line of former) say(terminal, line);
  if (ids.length + former.length === 0) say(terminal, 'There are no representatives.');
}

/** One line for each deleted account whose replies are still public, and each employer. */
async function otherWriters(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await selectOtherWriters(db, ids);
  const employers = await employersByAnyId(
    db,
    rows.map(({ employer_id }) => employer_id),
  );
  return rows.map(({ written_by, employer_id, replies }) =>
    ['deleted ', written_by, employers.get(employer_id)?.name, `replies: ${replies}`].join('  '),
  );
}

async function decide(
  context: CommandContext,
  decision: RepresentativeDecision,
  who: string,
  reason: string,
) {
  const unknown = new OperatorError(`${who} does not represent an employer`);
  const profile = await findProfile(context.keys, context.db, who);
  if (profile && !profile.user.is_representative) throw unknown;
  // A deleted account's id is known from its replies.
  const id = profile?.user.id ?? z.uuid().safeParse(who).data;
  if (id === undefined) throw unknown;
  const request = { reason, case_id: undefined };
  const file = await decideRepresentative(context, COMMAND, id, decision, request).catch(
    explainFor('representative'),
  );
  say(context.terminal, file ? representativeLine(file) : `${id}: the replies are deleted.`);
}
