import { expect, test } from 'vitest';
import { COMMON_PASSWORD } from '#contract/accounts.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmail, signedInDoctor } from '#server/testing/factories.ts';
import { curbside } from './testing/curbside.ts';

const PASSWORD = 'Quiet-Harbor-71';

const add = (server: TestApp, email: string, input = `${PASSWORD}\n`) =>
  curbside(server, ['admin', 'add', email, 'Rowan', 'Abernathy'], { input });

const admins = ({ deps }: TestApp) =>
  deps.db.selectFrom('users').select('id').where('is_admin', '=', true).execute();

test('adds an administrator, who can sign in with the piped password', async () => {
  await using server = await buildTestApp();
  const email = newEmail();
  expect(await add(server, email)).toEqual({
    code: 0,
    output: `${email} is an administrator.\n`,
    errors: '',
  });
  const login = await server.app.inject({
    method: 'POST',
    url: '/api/auth/login/',
    payload: { email, password: PASSWORD },
  });
  expect(login.json()).toMatchObject({ user: { is_admin: true, first_name: 'Rowan' } });
  const acts = await server.deps.db.selectFrom('audit_log').selectAll().execute();
  const [admin] = await admins(server);
  expect(acts).toMatchObject([{ actor: 'cli', action: 'admin.add', subject: admin?.id }]);
});

test('rejects a weak password, an invalid address, and a taken one, with one line per problem', async () => {
  await using server = await buildTestApp();
  expect((await add(server, newEmail(), 'short')).errors).toBe(
    [
      'curbside: Password must be at least 8 characters',
      'curbside: Password must contain at least one uppercase letter',
      'curbside: Password must contain at least one number',
      'curbside: Password must contain at least one special character',
      '',
    ].join('\n'),
  );
  expect(await add(server, newEmail(), 'P@ssw0rd')).toMatchObject({
    code: 1,
    errors: `curbside: ${COMMON_PASSWORD}\n`,
  });
  expect(await add(server, newEmail(), '')).toMatchObject({
    code: 1,
    errors: 'curbside: Password is required\n',
  });
  expect(await add(server, 'nobody')).toMatchObject({
    code: 1,
    errors: 'curbside: Invalid email address\n',
  });
  const { email } = await signedInDoctor(server);
  expect(await add(server, email)).toMatchObject({
    code: 1,
    errors: 'curbside: that email address already has an account\n',
  });
  expect(await admins(server)).toEqual([]);
});
