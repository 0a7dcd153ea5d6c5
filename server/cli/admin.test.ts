import { COMMON_PASSWORD } from '#contract/accounts/accounts.ts';
import { logIn } from '#server/features/accounts/testing/account-flows.ts';
import { logOf, newEmail } from '#server/testing/factories.ts';
import { expect, type Site, test } from '#server/testing/site.ts';
import { curbside, expectRefusal } from './testing/curbside.ts';

const PASSWORD = 'Quiet-Harbor-71';

const add = (site: Site, email: string, input = `${PASSWORD}\n`) =>
  curbside(site, ['admin', 'add', email, 'Rowan', 'Abernathy', '--roles', 'owner'], { input });

const admins = ({ deps }: Site) =>
  deps.db.selectFrom('users').select('id').where('is_admin', '=', true).orderBy('id').execute();

test('adds an administrator, who can sign in with the piped password', async ({ site }) => {
  const email = newEmail();
  const output = `${email} is an administrator.\n`;
  expect(await add(site, email)).toEqual({ code: 0, output, errors: '' });
  const { user } = (await logIn(site, email, PASSWORD)).body;
  expect(user).toMatchObject({ is_admin: true, first_name: 'Rowan' });
  const acts = await logOf(site, user.id, 'actor', 'action');
  expect(acts).toEqual([{ actor: 'cli', action: 'admin.add' }]);
});

test('rejects a weak password, a bad address, and a taken one, one line each', async ({ site }) => {
  const before = await admins(site);
  expect((await add(site, newEmail(), 'short')).errors).toBe(
    [
      'curbside: Password must be at least 8 characters',
      'curbside: Password must contain at least one uppercase letter',
      'curbside: Password must contain at least one number',
      'curbside: Password must contain at least one special character',
      '',
    ].join('\n'),
  );
  const { email } = await site.doctor();
  for (const [address, password, error] of [
    [newEmail(), 'P@ssw0rd', COMMON_PASSWORD],
    [newEmail(), '', 'Password is required'],
    ['nobody', PASSWORD, 'Invalid email address'],
    [email, PASSWORD, 'that email address already has an account'],
  ] as const) {
    await expectRefusal(add(site, address, password), error);
  }
  expect(await admins(site)).toEqual(before);
});
