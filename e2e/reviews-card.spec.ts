import type { Locator, Page } from '@playwright/test';
import { titleCase } from '#contract/names.ts';
import { FEEDBACK_MESSAGES, REPORT_REASONS } from '#contract/reviews/review-feedback.ts';
import type { Review } from '#contract/reviews/reviews.ts';
import { formatMonth } from '#web/lib/format.ts';
import { paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP, logIn, newId, OFTEN, PHONE, refuse, type Signup, sure } from './account.ts';
import { expect, LONG, onPhone, test } from './fixtures.ts';
import { follow } from './forms.ts';
import { openLive } from './hydration.ts';
import { newEmployer, newPoster, newReview } from './review.ts';
import { helpfulCount, listOf, OLDEST, VOTES_CALL } from './reviews-page.ts';
import type { TestServer } from './server.ts';
import { atSizes, boxOf, sideways } from './widths.ts';

const VOTE_CALLS = /\/api\/reviews\/[^/]+\/(not-)?helpful\/$/;
const REPORT_CALL = '**/api/reviews/*/report/';

let author: Promise<Signup> | undefined;

/** A new review that no demo account has written. */
async function anotherReview(server: TestServer): Promise<Review> {
  author ??= newPoster(server);
  const { email } = await author;
  const review_text = `Long nights, good company, ${newId()}.`;
  return newReview(server, { review_text, pros: 'Good food.' }, { by: email });
}

const card = (page: Page) => page.getByRole('article');
const helpful = (scope: Locator) => scope.getByRole('button', { name: /^Helpful/ });
const notHelpful = (scope: Locator) => scope.getByRole('button', { name: 'Not helpful' });
const report = (scope: Locator) => scope.getByRole('button', { name: /^Report/ });

/** The number of lines of text and stars above a card's heading. */
const linesOfFacts = (article: Locator) =>
  article.evaluate((element) => {
    const top = element.querySelector('h3')?.getBoundingClientRect().top ?? 0;
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const boxes = [...element.querySelectorAll('[role=img]')].map((image) =>
      image.getBoundingClientRect(),
    );
    const range = document.createRange();
    while (walker.nextNode()) {
      if (walker.currentNode.parentElement?.closest('.sr-only')) continue;
      range.selectNodeContents(walker.currentNode);
      boxes.push(...range.getClientRects());
    }
    const seen = boxes.filter(({ width, bottom }) => width > 1 && bottom <= top);
    seen.sort((one, other) => one.top - other.top);
    let lines = 0;
    let end = Number.NEGATIVE_INFINITY;
    for (const { top: start, height } of seen) {
      const middle = start + height / 2;
      if (middle < end) continue;
      lines += 1;
      end = start + height;
    }
    return lines;
  });

test('opens and closes, and has few facts before the employer and the text', async ({ page }) => {
  await openLive(page, paths.reviews(OLDEST), PHONE);
  const either = { name: /Read (more|less)/ };
  const first = card(page)
    .filter({ has: page.getByRole('button', either) })
    .first();
  const toggle = first.getByRole('button', either);
  const pros = first.getByText(/^(Pros|Cons|Overall experience)$/).first();
  await expect(pros).toBeHidden();
  await toggle.click();
  await expect(toggle).toHaveText('Read less');
  await expect(pros).toBeVisible();
  await toggle.press('Enter');
  await expect(toggle).toHaveText('Read more');
  await expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await expect(pros).toBeHidden();

  const counts = await Promise.all((await card(page).all()).map(linesOfFacts));
  expect(counts.length).toBeGreaterThan(5);
  // A long title with a long specialty wraps.
  expect(Math.max(...counts)).toBeLessThanOrEqual(4);
  expect(counts.filter((count) => count <= 3).length).toBeGreaterThan(counts.length / 2);
});

test("is always open on its employer's page and its own page", async ({ page, server }) => {
  const texts = { review_text: 'A 0.2 FTE raise in 2019.', pros: 'Pays 0.5 FTE for teaching.' };
  const review = await newReview(server, texts, { at: await newEmployer(server) });
  for (const path of [paths.employer(review.employer.id), paths.review(review.id)]) {
    await page.goto(path);
    const text = card(page).filter({ hasText: review.review_text });
    await expect(text.getByText('Pros', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Read more' })).toHaveCount(0);
  }
  for (const shown of Object.values(texts))
    await expect(card(page).getByText(shown)).toHaveCSS('font-variant-numeric', 'lining-nums');
});

test('shows the location, age, and rating', async ({ page, server }) => {
  const review = sure((await listOf(server, OLDEST)).results[0]);
  await page.clock.install({ time: Date.parse(review.created_at) + 61 * 24 * 3600 * 1000 });
  await openLive(page, paths.reviews(OLDEST));
  const first = card(page).first();
  await expect(first.getByRole('heading')).toHaveText(titleCase(review.employer.name));
  await expect(first).toContainText(`${review.employer.city}, ${review.employer.state}`);
  await expect(first.locator('time')).toHaveText('2 months ago');
  const stars = first.getByRole('img', { name: `${review.overall_rating} out of 5 stars` });
  await expect(stars.first()).toBeVisible();
  // On a phone, too.
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    const [rated, dated] = [await boxOf(stars.first()), await boxOf(first.locator('time'))];
    expect(dated.x).toBeGreaterThan(rated.x + rated.width);
    expect(dated.y).toBeLessThan(rated.bottom);
  }
  await expect(first.getByText(String(review.overall_rating), { exact: true })).toBeVisible();
  await follow(first, 'Link to this review', paths.review(review.id));
});

test('has a unique name, and a link that is easy to hit', async ({ page, server }) => {
  const employer = await newEmployer(server);
  for (const position_title of ['CARDIOLOGIST', 'Hospitalist']) {
    await newReview(server, { position_title, overall_rating: 2 }, { at: employer });
  }
  const { results } = await listOf(server, { search: employer.name });
  await page.goto(paths.employer(employer.id));
  expect(results).toHaveLength(2);
  await atSizes(page, [PHONE, DESKTOP], async () => {
    for (const { position_title, created_at } of results) {
      const name = `${titleCase(position_title)}, 2 of 5 stars, ${formatMonth(created_at)}`;
      const link = page.getByRole('article', { name }).getByRole('link', { name: /^Link to this/ });
      await expect(link).toHaveAccessibleName(/^Link to this review, (just now|\d+ minutes? ago)$/);
      expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(24);
    }
  });
});

test('long words do not make a page wider', LONG, async ({ page, server, doctor }) => {
  const employer = await newEmployer(server, 'Z'.repeat(150));
  const texts = { review_text: 'M'.repeat(1000), pros: 'W'.repeat(1000) };
  const wide = { ...texts, position_title: 'Q'.repeat(90) };
  const review = await newReview(server, wide, { by: doctor.email, at: employer });
  await page.setViewportSize(PHONE);
  for (const path of [
    paths.reviews({ search: employer.name }),
    paths.review(review.id),
    paths.employer(employer.id),
    paths.dashboard(),
    paths.myReviews(),
    paths.editReview(review.id),
    paths.employers({ search: employer.name }),
  ]) {
    await openLive(page, path);
    await expect(page.getByText(/Z{20}/i).first()).toBeVisible();
    expect([path, await sideways(page)]).toEqual([path, 0]);
  }
});

test('share copies the link, or shows it if it cannot', async ({ page, context, server }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const review = await anotherReview(server);
  const link = `${server.url}${paths.review(review.id)}`;
  await page.clock.install();
  await openLive(page, paths.review(review.id));
  // The button says so for 3 seconds.
  await page.clock.pauseAt(Date.now() + 60_000);
  const main = page.getByRole('main');
  const size = () => main.evaluate(({ scrollHeight }) => scrollHeight);
  const share = page.getByRole('button', { name: 'Share' });
  const before = [await size(), await boxOf(share)];
  await share.press('Enter');
  const copied = page.getByRole('button', { name: 'Link copied' });
  await expect(copied).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Link copied' })).toHaveCount(1);
  expect([await size(), await boxOf(copied)]).toEqual(before);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);

  await page.clock.runFor(3000);
  await page.evaluate('Object.defineProperty(navigator, "clipboard", { value: undefined })');
  await share.click();
  await expect(page.getByText(`Copy this link: ${link}`)).toBeVisible();
});

onPhone("share on a phone, opens the phone's share sheet", async ({ page, server }) => {
  await page.addInitScript(() => {
    Object.assign(navigator, {
      share: async (shared: object) => {
        document.title = JSON.stringify(shared);
      },
    });
  });
  const review = await anotherReview(server);
  await openLive(page, paths.review(review.id));
  await page.getByRole('button', { name: 'Share' }).tap();
  const title = `A review of ${titleCase(review.employer.name)}`;
  const shared = { title, url: `${server.url}${paths.review(review.id)}` };
  await expect(page).toHaveTitle(JSON.stringify(shared));
});

test('helpful redirects to the login and back when signed out', async ({ page, server }) => {
  await openLive(page, paths.reviews({ city: 'Boston' }));
  for (const button of [helpful, notHelpful, report]) {
    await expect(button(page.getByRole('main'))).toHaveCount(0);
  }
  const login = paths.login({ redirect: 'reviews?city=Boston' });
  const link = (name: RegExp) => card(page).first().getByRole('link', { name });
  await expect(link(/^Not helpful$/)).toHaveAttribute('href', login);
  await link(/^Helpful/).click();
  await expect(page).toHaveURL(login);
  await logIn(page, DEMO.doctor);
  await expect(page).toHaveURL(`${server.url}${paths.reviews({ city: 'Boston' })}`);
  await expect(helpful(card(page).first())).toBeVisible();
});

test('helpful and not helpful can be added and withdrawn', async ({ page, server, signedIn }) => {
  const review = await anotherReview(server);
  await signedIn(DEMO.doctor);
  await openLive(page, paths.review(review.id));
  const [yes, no] = [helpful(card(page)), notHelpful(card(page))];
  const expectPressed = async (pressed: { yes: boolean; no: boolean }) => {
    await expect(yes).toHaveAttribute('aria-pressed', String(pressed.yes));
    await expect(no).toHaveAttribute('aria-pressed', String(pressed.no));
    await expect(yes).toHaveAccessibleName(pressed.yes ? 'Helpful (1)' : 'Helpful');
  };
  await expectPressed({ yes: false, no: false });
  await yes.click();
  await expectPressed({ yes: true, no: false });
  await expect.poll(() => helpfulCount(server, review), OFTEN).toBe(1);
  await page.reload();
  await expectPressed({ yes: true, no: false });
  await yes.press('Space');
  await expectPressed({ yes: false, no: false });

  await yes.press('Enter');
  await expectPressed({ yes: true, no: false });
  await page.keyboard.press('Tab');
  await expect(no).toBeFocused();
  const saved = page.waitForResponse('**/not-helpful/');
  await page.keyboard.press('Space');
  await expectPressed({ yes: false, no: true });
  await expect(page).toBeAccessible();
  await saved;
  await page.reload();
  await expectPressed({ yes: false, no: true });
  await no.press('Enter');
  await expectPressed({ yes: false, no: false });
});

onPhone('helpful on a phone, has large buttons on one line', async ({ page, server, signedIn }) => {
  const review = await anotherReview(server);
  await signedIn(DEMO.doctor);
  await openLive(page, paths.review(review.id));
  const [yes, no] = [helpful(card(page)), notHelpful(card(page))];
  const all = [yes, no, card(page).getByRole('button', { name: 'Share' }), report(card(page))];
  for (const button of all) await expect(button).toBeVisible();
  const boxes = await Promise.all(all.map((button) => button.boundingBox()));
  for (const box of boxes) {
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(box?.width).toBeGreaterThanOrEqual(44);
    expect(box?.y).toBe(boxes[0]?.y);
  }
  await no.tap();
  await yes.tap();
  await expect(no).toHaveAttribute('aria-pressed', 'false');
  await expect(yes).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => helpfulCount(server, review), OFTEN).toBe(1);
});

test('helpful is reverted, with the reason', async ({ page, server, signedIn }) => {
  const review = await anotherReview(server);
  for (const [email, text] of [
    [DEMO.doctor, 'Server error. Please try again later.'],
    [DEMO.pending, 'Only verified doctors can mark reviews as helpful.'],
  ] as const) {
    await signedIn(email);
    for (const button of [helpful(card(page)), notHelpful(card(page))]) {
      await openLive(page, paths.review(review.id));
      if (email === DEMO.doctor) await page.route(VOTE_CALLS, refuse(500), { times: 1 });
      await button.click();
      await expect(page.getByText(text)).toBeVisible();
      await expect(button).toHaveAttribute('aria-pressed', 'false');
      await expect(helpful(card(page))).toHaveAccessibleName('Helpful');
    }
  }
});

test("helpful is not available on one's own review", async ({ page, server, signedIn }) => {
  const review = await newReview(server);
  await signedIn(DEMO.doctor);
  for (const button of [helpful(card(page)), notHelpful(card(page)), report(card(page))]) {
    const votes = page.waitForResponse(VOTES_CALL);
    await page.goto(paths.review(review.id));
    await (await votes).finished();
    await button.click();
    await expect(page.getByText('This is your own review.')).toBeVisible();
  }
  // Even if the page does not know yet, the server does.
  await page.route(VOTES_CALL, (route) => route.abort());
  await page.reload();
  await helpful(card(page)).click();
  await expect(page.getByText('This is your own review.')).toBeVisible();
});

test('a report keeps its note, and is sent once', async ({ page, server, signedIn }) => {
  const review = await anotherReview(server);
  await page.setViewportSize(PHONE);
  await signedIn(DEMO.pending);
  await openLive(page, paths.review(review.id));
  const button = report(card(page));
  await button.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Report this review' });
  await expect(dialog.getByRole('radio')).toHaveCount(Object.keys(REPORT_REASONS).length);
  await expect(page).toBeAccessible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();

  await button.click();
  const send = dialog.getByRole('button', { name: 'Send report' });
  await send.click();
  await expect(dialog.getByText('Please choose a reason')).toBeVisible();
  await dialog.getByLabel(REPORT_REASONS.off_topic).check();
  await dialog.getByLabel('Note').fill('An advertisement.');
  await page.route(REPORT_CALL, (route) => route.abort(), { times: 1 });
  await send.click();
  const lost = 'Network error. Please check your internet connection.';
  await expect(dialog.getByRole('alert')).toHaveText(lost);
  await expect(dialog.getByLabel('Note')).toHaveValue('An advertisement.');
  await send.click();
  const sent = page.getByRole('dialog', { name: 'Report sent' });
  await expect(sent).toContainText(FEEDBACK_MESSAGES.reported);
  await sent.getByRole('button', { name: 'Close' }).last().click();
  await expect(button).toHaveAccessibleName(/^Reported/);
  await expect(button).toBeFocused();

  await page.reload();
  await expect(button).toHaveAccessibleName(/^Reported/);
  await button.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('only a press that begins beside a dialog closes it', async ({ page, server, signedIn }) => {
  const review = await anotherReview(server);
  await signedIn(DEMO.pending);
  await openLive(page, paths.review(review.id));
  await report(card(page)).click();
  const dialog = page.getByRole('dialog', { name: 'Report this review' });
  const note = dialog.getByLabel('Note');
  await note.fill('An advertisement.');
  // Selects what is typed, and lets go beside the dialog.
  await note.hover();
  await page.mouse.down();
  await page.mouse.move(3, 3);
  await page.mouse.up();
  await expect(note).toHaveValue('An advertisement.');
  await page.mouse.click(3, 3);
  await expect(dialog).toBeHidden();
});
