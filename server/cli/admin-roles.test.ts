import { expect, test } from 'vitest';
import { ERRORS } from '#contract/errors.ts';
import { STAFF_MESSAGES } from '#contract/staff.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail, signedInDoctor } from '#server/testing/factories.ts';
import { curbside } from './testing/curbside.ts';

const INPUT = { input: 'Quiet-Harbor-71\n' };

async function add(server: TestApp, ...options: string[]): Promise<string> {
  const email = newEmail();
  const args = ['admin', 'add', email, 'Rowan', 'Abernathy', ...options];
  expect(await curbside(server, args, INPUT)).toMatchObject({ code: 0, errors: '' });
  return email;
}

const refused = (message: string) => ({ code: 1, errors: `curbside: ${message}\n` });

test('the first administrator is an owner; later ones moderate and curate, unless other roles are given', async () => {
  await using server = await buildTestApp();
  const emails = [await add(server), await add(server), await add(server, '--roles', 'verifier')];
  const { output } = await curbside(server, ['admin', 'list']);
  expect(output.split('\n').map((line) => line.split('  ')[2])).toEqual(
    expect.arrayContaining(['owner,moderator,curator', 'moderator,curator', 'verifier']),
  );
  for (const email of emails) expect(output).toContain(email);
  const acts = await server.deps.db.selectFrom('audit_log').select(['action', 'details']).execute();
  expect(acts).toContainEqual({ action: 'admin.add', details: { roles: 'verifier' } });
});

test('changes roles, and rejects a verifier who moderates, unknown roles, and unknown accounts', async () => {
  await using server = await buildTestApp();
  const [, other] = [await add(server), await add(server)];
  const roles = (email: string, list: string) => curbside(server, ['admin', 'roles', email, list]);
  expect(await roles(other, 'auditor, curator')).toMatchObject({
    code: 0,
    output: `${other} now has these roles: auditor, curator.\n`,
  });
  expect(await roles(other, 'verifier,moderator')).toMatchObject(refused(STAFF_MESSAGES.apart));
  expect(await roles(other, 'king')).toMatchObject(
    refused('A role is one of owner, moderator, verifier, curator, auditor'),
  );
  const { email } = await signedInDoctor(server);
  expect(await roles(email, 'curator')).toMatchObject(
    refused(`no administrator has the email address ${email}`),
  );
  const acts = await server.deps.db.selectFrom('audit_log').select(['action', 'details']).execute();
  expect(acts).toContainEqual({ action: 'staff.appoint', details: { roles: 'curator,auditor' } });
});

test('a former administrator is appointed again, with the password of the account', async () => {
  await using server = await buildTestApp();
  const [, other] = [await add(server), await add(server)];
  const run = (...args: string[]) => curbside(server, ['admin', ...args]);
  const again = ['add', other, 'Rowan', 'Abernathy', '--roles', 'verifier'];
  expect(await run(...again)).toMatchObject(
    refused(`${other} is already an administrator. To change the roles: curbside admin roles`),
  );
  await run('remove', other);
  expect(await run('roles', other, 'curator')).toMatchObject(
    refused(`no administrator has the email address ${other}`),
  );
  expect(await run(...again)).toMatchObject(refused(ERRORS.role_wait.text));
  expect(await run('add', other, 'Rowan', 'Abernathy', '--roles', 'curator')).toMatchObject({
    code: 0,
    output: `${other} is an administrator again. The account keeps its name and password.\n`,
  });
  const acts = await server.deps.db.selectFrom('audit_log').select(['action', 'details']).execute();
  expect(acts).toContainEqual({ action: 'staff.appoint', details: { roles: 'curator' } });
});

test('names the roles that nobody has', async () => {
  await using server = await buildTestApp();
  await add(server);
  const none = 'Nobody is a verifier: no cases wait.';
  expect((await curbside(server, ['admin', 'list'])).output).not.toContain('Nobody');
  await add(server);
  for (const command of ['admin', 'cases']) {
    expect((await curbside(server, [command, 'list'])).output).toContain(none);
  }
});

test('removes administrators and factors, but never the last owner', async () => {
  await using server = await buildTestApp();
  const [owner, other, third] = [await add(server), await add(server), await add(server)];
  const run = (...args: string[]) => curbside(server, ['admin', ...args]);
  expect(await run('remove', owner)).toMatchObject(refused(ERRORS.last_owner.text));
  expect(await run('roles', owner, 'curator')).toMatchObject(refused(ERRORS.last_owner.text));
  expect(await run('reset-factor', other)).toMatchObject({ code: 0 });
  expect(await run('remove', other)).toMatchObject({
    code: 0,
    output: `${other} is no longer an administrator.\n`,
  });
  // Either of the last two can be removed: the other is then an office of one, with all roles.
  expect(await run('remove', owner)).toMatchObject({ code: 0 });
  expect(await run('remove', third)).toMatchObject(refused(ERRORS.last_owner.text));
  expect((await run('list')).output).toContain(third);
  const newcomer = ['admin', 'add', newEmail(), 'Rowan', 'Abernathy'];
  expect(await curbside(server, newcomer, INPUT)).toMatchObject(refused(ERRORS.last_owner.text));
});
