import { Command } from 'commander';
import * as z from 'zod/mini';
import { FirstName, LastName, NewPassword } from '#contract/accounts/accounts.ts';
import { Email } from '#contract/fields.ts';
import { Roles } from '#contract/office/staff.ts';
import {
  FIRST_ROLES,
  NEXT_ROLES,
  ROLES,
  type Role,
  sortedRoles,
  unstaffedText,
} from '#contract/staff-roles.ts';
import { COMMAND, recordAct } from '#server/audit-log.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { AppError } from '#server/errors/app-error.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { refuseCommonPassword } from '#server/features/accounts/credentials/passwords.ts';
import type { Profile } from '#server/features/accounts/identity/identity.ts';
import { findProfile, findStaff } from '#server/features/accounts/identity/profiles.ts';
import { addAdmin } from '#server/features/accounts/signup/signup.ts';
import {
  appoint,
  dismiss,
  listStaff,
  resetFactor,
} from '#server/features/office/staff/appointments.ts';
import { mailStaffChange } from '#server/features/office/staff-names.ts';
import { type CommandContext, type WithDatabase, withJobs } from './context.ts';
import { parse, readNewPassword, say } from './terminal.ts';

const Person = z.object({ email: Email, first_name: FirstName, last_name: LastName });

const ROLES_HELP = `separated by commas: ${Object.keys(ROLES).join(', ')}`;

/** `curbside admin …` */
export function adminCommand(withDatabase: WithDatabase): Command {
  const admin = new Command('admin').description('Administrators and their roles.');
  admin
    .command('add <email> <first-name> <last-name>')
    .description(
      'Adds an administrator. Asks for the password, or reads it from a pipe. A former administrator keeps name and password.',
    )
    .option(
      '--roles <roles>',
      `${ROLES_HELP} (default: ${NEXT_ROLES.join(',')}; for the first administrator also owner)`,
    )
    .action((email: string, first_name: string, last_name: string, { roles }: { roles?: string }) =>
      withDatabase(add)(parse(Person, { email, first_name, last_name }), readRoles(roles)),
    );
  admin
    .command('list')
    .description(
      'Lists the administrators. If there is only one, that one has all roles, whatever is listed.',
    )
    .action(withDatabase(list));
  admin
    .command('roles <email> <roles>')
    .description('Changes the roles of an administrator.')
    .addHelpText('after', `\nroles: ${ROLES_HELP}`)
    .action((email: string, roles: string) =>
      withDatabase(changeRoles)(email, readRoles(roles) ?? []),
    );
  admin
    .command('remove <email>')
    .description('Takes all roles from an administrator. The account itself stays.')
    .action(withDatabase(remove));
  admin
    .command('reset-factor <email>')
    .description('Removes the second factor of an administrator who has lost it.')
    .action(withDatabase(forgetFactor));
  return admin;
}

async function add(
  context: CommandContext,
  person: z.infer<typeof Person>,
  given: z.infer<typeof Roles> | undefined,
) {
  const { keys, db, clock, terminal } = context;
  const known = await findProfile(keys, db, person.email);
  if (known) return addAgain(context, known, given ?? (await firstRoles(context)));
  const password = parse(NewPassword, await readNewPassword(terminal));
  refuseCommonPassword('password', password);
  await withJobs(context, (deps) =>
    inTransaction(db, async (trx) => {
      const roles = given ?? (await firstRoles({ keys, db: trx }));
      const id = await addAdmin({ ...context, db: trx }, { ...person, password, roles });
      const details = { roles: roles.join(',') };
      await recordAct(trx, clock, { actor: COMMAND, action: 'admin.add', subject: id, details });
      await mailStaffChange(deps, trx, id, { roles: sortedRoles(roles) });
    }),
  );
  say(terminal, `${person.email} is an administrator.`);
}

const firstRoles = async ({ keys, db }: Pick<CommandContext, 'keys' | 'db'>) =>
  (await findStaff(keys, db)).length === 0 ? FIRST_ROLES : NEXT_ROLES;

/** Appoints a former administrator. The account has kept its name and its password. */
async function addAgain(context: CommandContext, { user }: Profile, roles: readonly Role[]) {
  const { email, id } = user;
  if (user.is_admin) {
    throw new OperatorError(
      `${email} is already an administrator. To change the roles: curbside admin roles`,
    );
  }
  const act = { actor: COMMAND, userId: id };
  await withJobs(context, (deps) => appoint(deps, act, roles)).catch((error: unknown) => {
    const isOther = error instanceof AppError && error.code === 'not_found';
    throw isOther ? new OperatorError('that email address already has an account') : error;
  });
  say(
    context.terminal,
    `${email} is an administrator again. The account keeps its name and password.`,
  );
}

async function list(context: CommandContext) {
  const { results, unstaffed } = await listStaff(context);
  for (const { email, first_name, last_name, roles, has_factor } of results) {
    const factor = has_factor ? 'second factor' : 'no second factor';
    say(
      context.terminal,
      [email, `${first_name} ${last_name}`, roles.join(','), factor].join('  '),
    );
  }
  for (const one of unstaffed) say(context.terminal, unstaffedText(one));
}

async function changeRoles(context: CommandContext, email: string, roles: z.infer<typeof Roles>) {
  const act = await actOn(context, email);
  await withJobs(context, (deps) => appoint(deps, act, roles));
  say(context.terminal, `${email} now has these roles: ${roles.join(', ')}.`);
}

async function remove(context: CommandContext, email: string) {
  const act = await actOn(context, email);
  await withJobs(context, (deps) => dismiss(deps, act));
  say(context.terminal, `${email} is no longer an administrator.`);
}

async function forgetFactor(context: CommandContext, email: string) {
  const act = await actOn(context, email);
  await withJobs(context, (deps) => resetFactor(deps, act));
  say(context.terminal, `${email} no longer has a second factor.`);
}

/** @throws OperatorError if the address is not an administrator's */
async function actOn({ keys, db }: CommandContext, email: string) {
  const user = (await findProfile(keys, db, email))?.user;
  if (!user?.is_admin) throw new OperatorError(`no administrator has the email address ${email}`);
  return { actor: COMMAND, userId: user.id };
}

const readRoles = (text: string | undefined) =>
  text === undefined
    ? undefined
    : parse(
        Roles,
        text.split(',').map((role) => role.trim()),
      );
