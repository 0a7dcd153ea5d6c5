import { readFile } from 'node:fs/promises';
import { legalEndpoints } from '#contract/endpoints/office.ts';
import { paths } from '#web/lib/paths.ts';
import { call, DEMO, PHONE, signIn, signOut } from './account.ts';
import { expect, testApart } from './fixtures.ts';
import { expectTexts, expectValues, fill, press } from './forms.ts';
import { newStaff } from './office-stock.ts';
import { newPoster, newReview } from './review.ts';

/** Separate, so that the public record has no other demands. */
const test = testApart();
test.describe.configure({ mode: 'default' });

const NOTICE = 'We received a legal demand about this review.';
const REVIEW = 'Review (optional)';
const NOTHING = 'Nothing handed over, because we cannot';

test('without a demand, the record says so; legal pages link to it', async ({ page }) => {
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

test('the author sees a decided demand unless the law forbids it', async ({ page, server }) => {
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

  await signIn(page, server, DEMO.admin, paths.office());
  await page.getByRole('button', { name: 'Record a legal demand' }).click();
  const dialog = page.getByRole('dialog', { name: 'Record a legal demand' });
  const record = dialog.getByRole('button', { name: 'Record demand' });
  await record.click();
  const day = 'Please enter the day on which it arrived';
  await expectTexts(dialog, 'Please choose a kind', day);
  await look();
  await dialog.getByLabel('Kind').selectOption('Subpoena');
  const typed = { 'Received on': '2026-01-05', 'Jurisdiction (optional)': 'NY' };
  await fill(dialog, { ...typed, [REVIEW]: `${server.url}/reviews/none` });
  await dialog.getByLabel('The law forbids telling the author').check();
  await record.click();
  await expect(dialog.getByText('There is no such review')).toBeVisible();
  await expectValues(dialog, typed);
  // An interrupted form keeps what was typed.
  await page.reload();
  await page.getByRole('button', { name: 'Record a legal demand' }).click();
  await expectValues(dialog, typed);
  await expect(dialog.getByLabel('Kind')).toHaveValue('subpoena');
  await expect(dialog.getByLabel('The law forbids telling the author')).toBeChecked();
  await fill(dialog, { [REVIEW]: `${server.url}${paths.review(id)}` });
  await record.click();
  const recorded = 'The demand has been recorded and is waiting in the queue.';
  await expect(page.getByText(recorded)).toBeVisible();
  await page.getByRole('button', { name: 'Record a legal demand' }).click();
  await expectValues(dialog, { 'Received on': '', 'Jurisdiction (optional)': '' });

  await page.goto(paths.office({ kind: 'legal' }));
  await expect(page.getByRole('heading', { name: 'All legal demands' })).toBeVisible();
  const filters = page.getByRole('navigation', { name: 'Filters' });
  await expect(filters.getByRole('link', { name: 'Legal demand' })).toBeInViewport({ ratio: 1 });
  await look();
  await main.getByRole('link', { name: 'Subpoena', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Subpoena' })).toBeVisible();
  await expect(main).toContainText(position_title);
  await expect(main).not.toContainText('Halloran');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('d');
  await expect(main.getByLabel('Outcome')).toBeFocused();
  await press(main, 'Record outcome');
  await expectTexts(main, 'Please choose an outcome', 'Please write a note for the log');
  await look();
  await main.getByLabel('Outcome').selectOption(NOTHING);
  await fill(main, { Note: 'The review is locked.' });
  await press(main, 'Record outcome');
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
  await main.getByRole('button', { name: 'Correct the demand' }).click();
  const correct = page.getByRole('dialog', { name: 'Correct the demand' });
  await expect(correct.getByLabel('Review')).toHaveValue(id);
  await look();
  await fill(correct, { [REVIEW]: '' });
  await press(correct, 'Correct the demand');
  await expect(correct.getByText('Please write a note for the log')).toBeVisible();
  await fill(correct, { Note: 'Misread the letter.', 'Due on (optional)': '2099-12-03' });
  await press(correct, 'Correct the demand');
  await expectTexts(main, 'None, or deleted', 'December 3, 2099');
  await become(email);
  await page.goto(paths.dashboard());
  await expect(main).toContainText(position_title);
  await expect(main).not.toContainText(NOTICE);
});

test('an owner adds a demand with its document, another downloads it', async ({ page, server }) => {
  test.slow();
  const main = page.getByRole('main');
  await page.setViewportSize(PHONE);
  const in_time = { kind: 'subpoena', received_on: '2026-01-05', due_on: '2099-12-03' } as const;
  await call(server, legalEndpoints.record, { as: DEMO.admin, body: in_time });
  await signIn(page, server, DEMO.admin, paths.office());
  await press(page, 'Record a legal demand');
  const dialog = page.getByRole('dialog', { name: 'Record a legal demand' });
  const typed = {
    'Received on': '2026-01-05',
    'Due on (optional)': '2026-01-20',
    'Sender (optional)': 'Marsh & Tull LLP',
    'Docket number (optional)': '26-CV-1138',
  };
  await fill(dialog, typed);
  await dialog.getByLabel('Kind').selectOption('Court order');
  const document = dialog.getByLabel('Document (optional)');
  const choose = (name: string, text: string | Buffer) =>
    document.setInputFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from(text) });
  for (const [buffer, message] of [
    ['', 'The file is empty'],
    ['Not a letter.', 'Must be a PDF, PNG, or JPEG file'],
    [Buffer.alloc(10 * 1024 * 1024 + 1, '%PDF-1.7 '), 'Must be at most 10 MB'],
  ] as const) {
    await choose('letter.pdf', buffer);
    await expect(dialog.getByText(message)).toBeVisible();
    await press(dialog, 'Record demand');
    await expect(document).toBeFocused();
    await expectValues(dialog, typed);
  }
  await expect(page).toBeAccessible('light', 'dark');
  const letter = '%PDF-1.7 We demand the name of the author.';
  // The form is sent before the file has been read.
  await page.evaluate(() => {
    const read = Blob.prototype.arrayBuffer;
    const { promise: released, resolve: releaseFiles } = Promise.withResolvers<void>();
    Object.assign(window, { releaseFiles });
    Blob.prototype.arrayBuffer = async function () {
      await released;
      return read.call(this);
    };
  });
  await choose('letter from marsh.pdf', letter);
  // The server refuses it after the demand is recorded. What was typed stays.
  await page.route('**/document/', (route) => route.abort(), { times: 1 });
  await press(dialog, 'Record demand');
  await page.evaluate('releaseFiles()');
  await expectTexts(dialog, /The demand is recorded, but not its document/, /Network error/);
  await expectValues(dialog, typed);
  await choose('letter from marsh.pdf', letter);
  await press(dialog, 'Record demand');
  await expect(page.getByText('The demand has been recorded and is waiting')).toBeVisible();
  // The next one starts empty.
  await press(page, 'Record a legal demand');
  await expectValues(dialog, { 'Received on': '', 'Sender (optional)': '' });

  await signOut(page);
  await signIn(page, server, await newStaff(server, ['owner']), paths.office());
  const rows = main.getByRole('listitem').filter({ has: page.getByRole('heading') });
  await expect(rows.first()).toContainText('Court order');
  await expect(rows.first()).toContainText('Overdue since January 20, 2026');
  await expectTexts(main, 'Due December 3, 2099');
  await expect(page).toBeAccessible('light', 'dark');
  await main.getByRole('link', { name: 'Court order', exact: true }).click();
  await expectTexts(main, 'Overdue since January 20, 2026', 'Marsh & Tull LLP', '26-CV-1138');
  const downloading = page.waitForEvent('download');
  await press(main, 'Download the document');
  const saved = await downloading;
  expect(saved.suggestedFilename()).toBe('legal-demand.pdf');
  expect(await readFile(await saved.path(), 'utf8')).toBe(letter);
  await press(main, 'Replace the document');
  const replacing = page.getByRole('dialog', { name: 'Replace the document' });
  await press(replacing, 'Replace the document');
  await expect(replacing.getByText('Please choose a file')).toBeVisible();
  await expect(page).toBeAccessible('light', 'dark');
  await press(replacing, 'Cancel');
  await expect(page.getByRole('region', { name: 'Case' })).toContainText(
    'Added a document to a legal demand',
  );
});

test('the list of demands has all of them, also beyond a page', async ({ page, server }) => {
  for (const sender of ['Oakfield LLP', 'Pinewood LLP', 'Rowan LLP']) {
    const demand = { kind: 'subpoena', received_on: '2026-01-05', sender } as const;
    await call(server, legalEndpoints.record, { as: DEMO.admin, body: demand });
  }
  let pages = 0;
  await page.route('**/api/admin/legal-demands/?*', (route) => {
    pages += 1;
    return route.continue({
      url: route
        .request()
        .url()
        .replace(/page_size=\d+/, 'page_size=1'),
    });
  });
  await signIn(page, server, DEMO.admin, paths.office({ kind: 'legal' }));
  const all = page.getByRole('region', { name: 'All legal demands' });
  await expectTexts(all, 'Oakfield LLP', 'Pinewood LLP', 'Rowan LLP');
  expect(pages).toBeGreaterThanOrEqual(3);
});
