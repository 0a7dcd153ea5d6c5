import { Command } from 'commander';
import * as z from 'zod/mini';
import { FirstName, LastName, NewPassword } from '#contract/accounts.ts';
import { Email } from '#contract/fields.ts';
import { recordAct } from '#server/audit-log.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { refuseCommonPassword } from '#server/features/accounts/password/passwords.ts';
import { findProfile } from '#server/features/accounts/service.ts';
import { addAdmin } from '#server/features/accounts/signup/new-account.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { CommandContext, WithDatabase } from './context.ts';
import { readNewPassword, say } from './terminal.ts';

const Person = z.object({ email: Email, first_name: FirstName, last_name: LastName });

/** `curbside admin …` */
export function adminCommand(withDatabase: WithDatabase): Command {
  const admin = new Command('admin').description('Administrators.');
  admin
    .command('add <email> <first-name> <last-name>')
    .description('Adds an administrator. Asks for the password, or reads it from a pipe.')
    .action((email: string, first_name: string, last_name: string) =>
      withDatabase(add)(parse(Person, { email, first_name, last_name })),
    );
  return admin;
}

async function add(context: CommandContext, person: z.infer<typeof Person>) {
  const { db, clock, terminal } = context;
  if (await findProfile(context.keys, db, person.email)) {
    throw new OperatorError('that email address already has an account');
  }
  const password = parse(NewPassword, await readNewPassword(terminal));
  refuseCommonPassword('password', password);
  await inTransaction(db, async (trx) => {
    const id = await addAdmin({ ...context, db: trx }, { ...person, password });
    await recordAct(trx, clock, { actor: 'cli', action: 'admin.add', subject: id });
  });
  say(terminal, `${person.email} is an administrator.`);
}

/** Parses a value with a schema. @throws OperatorError with one line per problem */
function parse<T extends z.core.$ZodType>(schema: T, value: unknown): z.infer<T> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new OperatorError(parsed.error.issues.map(({ message }) => message).join('\n'));
}
