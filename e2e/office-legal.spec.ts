import { paths } from '#web/lib/paths.ts';
import { DEMO, PHONE, signIn, signOut } from './account.ts';
import { expect, testApart } from './fixtures.ts';
import { newPoster, newReview } from './review.ts';

/** Separate, so that the public record has no other demands. */
const test = testApart();

const NOTICE = 'We received a legal demand about this review.';
const NOTHING = 'Nothing handed over, because we cannot';

test('the public record says that there was no demand, and the legal pages link to what we hold', async ({
  page,
}) => {
  await page.goto(paths.transparency());
  await expect(page.getByRole('main')).toContainText('we had received no legal demand');
  await page.setViewportSize(PHONE);
  for (const from of [paths.privacy(), paths.terms(), paths.transparency()]) {
    await page.goto(from);
    const name = 'What we hold, and what we cannot hand over';
    await page.getByRole('link', { name }).click();
    await expect(page).toHaveURL(paths.legalDemands());
    const heading = page.getByRole('heading', { level: 2, name: 'Legal demands' });
    await expect(heading).toBeInViewport();
  }
  await expect(page).toBeAccessible('light', 'dark');
});

test('an owner records and decides a demand, and the author sees it unless the law forbids it', async ({
  page,
  server,
}) => {
  test.slow();
  const look = () => expect(page).toBeAccessible('light', 'dark');
  /** Signs in as someone else, after signing out. */
  async function become(email: string) {
    await signOut(page);
    await signIn(page, server, email);
  }
  const main = page.getByRole('main');
  await page.setViewportSize(PHONE);
  const { email } = await newPoster(server);
  const position_title = 'Nocturnist';
  const { id } = await newReview(server, { position_title }, { by: email });

  await signIn(page, server, DEMO.admin);
  await page.goto(paths.office());
  await page.getByRole('button', { name: 'Record a legal demand' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record a legal demand' });
  const record = dialog.getByRole('button', { name: 'Record demand' });
  await record.click();
  await expect(dialog.getByText('Please choose a kind')).toBeVisible();
  await expect(dialog.getByText('Please enter the day on which it arrived')).toBeVisible();
  await look();
  await dialog.getByLabel('Kind').selectOption('Subpoena');
  await dialog.getByLabel('Received on').fill('2026-01-05');
  await dialog.getByLabel('Jurisdiction').fill('NY');
  await dialog.getByLabel('Review').fill(`${server.url}/reviews/none`);
  await dialog.getByLabel('The law forbids telling the author').check();
  await record.click();
  await expect(dialog.getByText('There is no such review')).toBeVisible();
  // The form keeps its values.
  await expect(dialog.getByLabel('Jurisdiction')).toHaveValue('NY');
  await dialog.getByLabel('Review').fill(`${server.url}${paths.review(id)}`);
  await record.click();
  const recorded = 'The demand has been recorded and is waiting in the queue.';
  await expect(page.getByText(recorded)).toBeVisible();

  await page.goto(paths.office({ kind: 'legal' }));
  await expect(page.getByRole('heading', { name: 'All legal demands' })).toBeVisible();
  await look();
  await main.getByRole('link', { name: 'Subpoena', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Subpoena' })).toBeVisible();
  await expect(main).toContainText(position_title);
  await expect(main).not.toContainText('Halloran');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('d');
  await expect(main.getByLabel('Outcome')).toBeFocused();
  await main.getByRole('button', { name: 'Record outcome' }).click();
  await expect(main.getByText('Please choose an outcome')).toBeVisible();
  await expect(main.getByText('Please write a note for the log')).toBeVisible();
  await look();
  await main.getByLabel('Outcome').selectOption(NOTHING);
  await main.getByLabel('Note').fill('The review is locked.');
  await main.getByRole('button', { name: 'Record outcome' }).click();
  await expect(page.getByText('The outcome has been recorded.')).toBeVisible();

  // With a gag order, the author sees nothing.
  await become(email);
  await page.goto(paths.dashboard());
  await expect(main).toContainText(position_title);
  await expect(main).not.toContainText(NOTICE);

  await become(DEMO.admin);
  await page.goto(paths.office({ kind: 'legal' }));
  await main.getByRole('button', { name: 'Tell the author' }).click();
  const ask = page.getByRole('dialog', { name: 'Tell the author' });
  await expect(page).toBeAccessible();
  await ask.getByRole('button', { name: 'Tell the author' }).click();
  await expect(main.getByText('Sees it on the dashboard')).toBeVisible();

  await become(email);
  await page.goto(paths.dashboard());
  await expect(main).toContainText(NOTICE);
  await expect(main).toContainText('Subpoena, received on January 5, 2026.');
  await expect(main).toContainText(`: ${NOTHING}.`);
  await look();
  await main.getByRole('link', { name: 'What we hold, and what we cannot hand over' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Legal demands' })).toBeInViewport();

  // After a correction to another review, the author sees nothing again.
  await become(DEMO.admin);
  await page.goto(paths.office({ kind: 'legal' }));
  await main.getByRole('button', { name: 'Correct the review' }).click();
  const correct = page.getByRole('dialog', { name: 'Correct the review' });
  await expect(correct.getByLabel('Review')).toHaveValue(id);
  await look();
  await correct.getByLabel('Review').fill('');
  await correct.getByRole('button', { name: 'Correct the review' }).click();
  await expect(correct.getByText('Please write a note for the log')).toBeVisible();
  await correct.getByLabel('Note').fill('Misread the letter.');
  await correct.getByRole('button', { name: 'Correct the review' }).click();
  await expect(main.getByText('None, or deleted')).toBeVisible();
  await become(email);
  await page.goto(paths.dashboard());
  await expect(main).toContainText(position_title);
  await expect(main).not.toContainText(NOTICE);
});
