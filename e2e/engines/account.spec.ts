import { paths } from '#web/lib/paths.ts';
import { DESKTOP, PASSWORD } from '../account.ts';
import { anEmployer, nameOf, newPoster, newReview } from '../review.ts';
import { LOCKED } from '../review-lock.ts';
import { signIn, signOut } from './account.ts';
import { button, field, heading, link } from './find.ts';
import { test } from './fixtures.ts';

const NEW_PASSWORD = 'Another-night-2';

test('a doctor locks the reviews, changes the password, and signs out', async ({ tab, server }) => {
  const { email } = await newPoster(server);
  const { id } = await newReview(server, {}, { by: email });
  const dialog = { role: 'dialog' };
  await tab.resize(DESKTOP);
  await signIn(tab, email);
  await tab.sees(heading('My Reviews (1)'));

  await tab.open(paths.profile());
  await tab.click(button('Lock my reviews'));
  await tab.click(button('Continue', dialog));
  await tab.sees(button('I saved the code', dialog));
  const code = await tab.with(
    dialog,
    ([shown]) => /(?:\w{5} ?){5}/.exec(shown?.textContent ?? '')?.[0],
  );
  await tab.click(button('I saved the code', dialog));
  await tab.fill(field('Recovery code', dialog), code ?? '');
  await tab.fill(field('Current password', dialog), PASSWORD);
  await tab.click(button('Lock my reviews', dialog));
  await tab.sees(LOCKED);

  await tab.click(button('Change password'));
  await tab.fill(field('Current password'), PASSWORD);
  await tab.fill(field('New password'), NEW_PASSWORD);
  await tab.fill(field('Confirm new password'), NEW_PASSWORD);
  await tab.click(button('Change password'));
  await tab.sees('Your password has been changed.');

  await tab.open(paths.editReview(id));
  await tab.fill(field('Review Summary *'), 'Changed behind the lock.');
  await tab.click(button('Update Review'));
  await tab.sees(heading('Review Updated!'));
  await signOut(tab);
  await signIn(tab, email, NEW_PASSWORD);
  await tab.sees('Changed behind the lock.');
});

test('a visitor saves an employer, and finds it after going back', async ({ tab, server }) => {
  const employer = await anEmployer(server);
  const save = button(`Save ${nameOf(employer)}`);
  await tab.open(paths.employer(employer.id), DESKTOP);
  await tab.click(save);
  await tab.sees({ ...save, pressed: true });
  await tab.open(paths.saved());
  await tab.click(link(nameOf(employer)));
  await tab.at(paths.employer(employer.id));
  await tab.sees({ ...save, pressed: true });
  await tab.back();
  await tab.at(paths.saved());
  await tab.sees(button(`Remove ${nameOf(employer)}`));
  await tab.back();
  await tab.at(paths.employer(employer.id));
  await tab.sees({ ...save, pressed: true });
});
