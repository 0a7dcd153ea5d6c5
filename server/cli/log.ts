import { Command } from 'commander';
import { type LogEntry, LogQuery } from '#contract/office/audit-log.ts';
import { LOG_KIND_KEYS } from '#contract/office/logged-acts.ts';
import { readLog } from '#server/features/office/log/log.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { parse, say } from './terminal.ts';

/** An operator may read everything. */
const OPERATOR = { roles: ['auditor'] } as const;
const SHOWN = 100;

/** `curbside log`: what staff did, as on the office page. */
export function logCommand(withDatabase: WithDatabase): Command {
  return new Command('log')
    .description('Lists what staff and commands did, most recent day first.')
    .option('--kind <kind>', `only ${LOG_KIND_KEYS.join(', ')}`)
    .option('--month <month>', 'only entries of a month, such as 2026-01')
    .option('--page <page>', `the page of ${SHOWN} entries to show, starting at 1`)
    .action(withDatabase(showLog));
}

async function showLog(context: CommandContext, options: { kind?: string; month?: string }) {
  const query = parse(LogQuery, { ...options, page_size: SHOWN });
  const { entries, count } = await readLog(context, OPERATOR, query);
  for (const entry of entries) say(context.terminal, lineOf(entry));
  const left = count - (query.page - 1) * SHOWN - entries.length;
  if (count === 0) say(context.terminal, 'No log entries match.');
  if (left > 0) say(context.terminal, `and ${left} more`);
}

function lineOf({ happened_on, actor, act, subject, details }: LogEntry): string {
  const about =
    subject && (subject.type === 'name' ? subject.name : `${subject.type} ${subject.id}`);
  // A reason may have several lines.
  const more = JSON.stringify(details);
  return [happened_on, actor, act, about ?? '-', more].join('  ');
}
