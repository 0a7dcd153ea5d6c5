import { titleCase } from '#contract/names.ts';
import { paths } from '#web/lib/paths.ts';
import { codeFor, PHONE } from '../account.ts';
import { canPost, newEmployer, newReview, newTitle, registeredPhysician } from '../review.ts';
import { signIn, signOut } from './account.ts';
import { button, field, heading, link, option } from './find.ts';
import { test } from './fixtures.ts';
import { writeReview } from './review.ts';

test('a visitor finds an employer, and reads and filters its reviews', async ({ tab }) => {
  await tab.open(paths.home(), PHONE);
  await tab.fill(field('Find an employer, a specialty, or a position'), 'larkmoor');
  await tab.click(option(/^Larkmoor Children/));
  await tab.sees(heading(/^Reviews \(\d+\)$/));
  await tab.sees({ role: 'article' });

  await tab.open(paths.reviews());
  // A link to a place on the page makes a history entry that the router does not know.
  await tab.click(link('Contact us'));
  await tab.click(button(/^Filters/));
  const sheet = { role: 'dialog', name: 'Filters' };
  await tab.click({ role: 'radio', name: '4+ stars', inside: sheet });
  await tab.fill({ role: 'combobox', name: 'City', inside: sheet }, 'bos');
  await tab.click(option('Boston', sheet));
  await tab.at(paths.reviews({ city: 'Boston', min_rating: 4 }));
  await tab.click(button(/^Show \d+ reviews?$/, sheet));
  await tab.gone(sheet);
  await tab.sees({ role: 'article', text: 'Boston' });
});

test('a doctor signs up, reviews an employer, and votes', async ({ tab, server }) => {
  const name = titleCase((await newEmployer(server)).name);
  const doctor = await registeredPhysician(server);
  const text = `Nobody here is rushed, ${newTitle()}.`;

  await tab.open(paths.signup({ redirect: 'create-review' }), PHONE);
  await tab.fill(field('Email'), doctor.email);
  await tab.fill(field('First name'), doctor.first_name);
  await tab.fill(field('Last name'), doctor.last_name);
  await tab.fill(field('NPI Number'), doctor.npi);
  await tab.fill(field('Password'), doctor.password);
  await tab.fill(field('Confirm password'), doctor.password);
  await tab.click(button('Sign up'));
  await tab.fill(field('Verification code'), await codeFor(server, doctor.email));
  await tab.click(button('Verify'));
  // Where it leads depends on whether the registry has answered. Firefox would open a page that
  // is on its way again, in place of the next one.
  await tab.sees(heading(/^(Write a Review|Verification Required|You are verified)$/));
  await canPost(server, doctor.email);
  await signOut(tab);
  await signIn(tab, doctor.email);

  await writeReview(tab, name, text);
  await tab.click(link('Go to my dashboard'));
  await tab.sees(heading('My Reviews (1)'));
  await tab.sees(text);

  const other = await newReview(server, { review_text: `Fair shifts, ${newTitle()}.` });
  const card = { role: 'article', text: other.review_text };
  await tab.open(paths.reviews());
  await tab.click(button('Helpful', card));
  await tab.sees({ ...button('Helpful (1)', card), pressed: true });
});
