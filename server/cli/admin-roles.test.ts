import { ERRORS } from '#contract/errors.ts';
import { STAFF_MESSAGES } from '#contract/office/staff.ts';
import { emptyOffice } from '#server/features/office/testing/empty-office.ts';
import { newEmail } from '#server/testing/factories.ts';
import { expect, type Site, testWith } from '#server/testing/site.ts';
import { curbside, expectRefusal, type Run } from './testing/curbside.ts';

const INPUT = { input: 'Quiet-Harbor-71\n' };

const test = testWith().extend('run', async ({ site }) => {
  await emptyOffice(site);
  return (...args: string[]) => curbside(site, ['admin', ...args], INPUT);
});

async function add(run: Run, ...options: string[]) {
  const email = newEmail();
  const added = await run('add', email, 'Rowan', 'Abernathy', ...options);
  expect(added).toMatchObject({ code: 0, errors: '' });
  return email;
}

const acts = (site: Site) => site.rows('audit_log', {}, ['action', 'details']);

test('the first is an owner; later ones moderate and curate by default', async ({ site, run }) => {
  const emails = [await add(run), await add(run), await add(run, '--roles', 'verifier')];
  const { output } = await run('list');
  expect(output.split('\n').map((line) => line.split('  ')[2])).toEqual(
    expect.arrayContaining(['owner,moderator,curator', 'moderator,curator', 'verifier']),
  );
  for (const email of emails) expect(output).toContain(email);
  expect(await acts(site)).toContainEqual({ action: 'admin.add', details: { roles: 'verifier' } });
});

test('changes roles; rejects verifying moderators and what is unknown', async ({ site, run }) => {
  const [, other] = [await add(run), await add(run)];
  expect(await run('roles', other, 'auditor, curator')).toMatchObject({
    code: 0,
    output: `${other} now has these roles: auditor, curator.\n`,
  });
  await expectRefusal(run('roles', other, 'verifier,moderator'), STAFF_MESSAGES.apart);
  const known = 'A role is one of owner, moderator, verifier, curator, auditor';
  await expectRefusal(run('roles', other, 'king'), known);
  const { email } = await site.doctor();
  const nobody = `no administrator has the email address ${email}`;
  await expectRefusal(run('roles', email, 'curator'), nobody);
  const appointed = { action: 'staff.appoint', details: { roles: 'curator,auditor' } };
  expect(await acts(site)).toContainEqual(appointed);
});

test('a former administrator is appointed again, with the old password', async ({ site, run }) => {
  const [, other] = [await add(run), await add(run)];
  const again = ['add', other, 'Rowan', 'Abernathy', '--roles'];
  const already = `${other} is already an administrator. To change the roles: curbside admin roles`;
  await expectRefusal(run(...again, 'verifier'), already);
  await run('remove', other);
  const nobody = `no administrator has the email address ${other}`;
  await expectRefusal(run('roles', other, 'curator'), nobody);
  await expectRefusal(run(...again, 'verifier'), ERRORS.role_wait.text);
  expect(await run(...again, 'curator')).toMatchObject({
    code: 0,
    output: `${other} is an administrator again. The account keeps its name and password.\n`,
  });
  const appointed = { action: 'staff.appoint', details: { roles: 'curator' } };
  expect(await acts(site)).toContainEqual(appointed);
});

test('names the roles that nobody has', async ({ run }) => {
  await add(run);
  expect((await run('list')).output).not.toContain('Nobody');
  await add(run);
  expect((await run('list')).output).toContain('Nobody is a verifier: no cases wait.');
});

test('removes administrators and factors, but never the last owner', async ({ run }) => {
  const [owner, other, third] = [await add(run), await add(run), await add(run)];
  const { text } = ERRORS.last_owner;
  await expectRefusal(run('remove', owner), text);
  await expectRefusal(run('roles', owner, 'curator'), text);
  expect(await run('reset-factor', other)).toMatchObject({ code: 0 });
  const removed = `${other} is no longer an administrator.\n`;
  expect(await run('remove', other)).toMatchObject({ code: 0, output: removed });
  // Either of the last two can be removed: the other is then an office of one, with all roles.
  expect(await run('remove', owner)).toMatchObject({ code: 0 });
  await expectRefusal(run('remove', third), text);
  expect((await run('list')).output).toContain(third);
  await expectRefusal(run('add', newEmail(), 'Rowan', 'Abernathy'), text);
});
