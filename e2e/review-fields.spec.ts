import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { positionTitleEndpoints } from '#contract/endpoints/reviews.ts';
import { OPTION_SEARCH_DEBOUNCE_MS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { DESKTOP, hold, PHONE, refuse } from './account.ts';
import { expect, test } from './fixtures.ts';
import { anEmployer, nameOf, newEmployer, openForm, rate, stars } from './review.ts';
import { atSizes } from './widths.ts';

const EMPLOYERS_CALL = `**/api${employerEndpoints.list.path}?*`;
const TITLES_CALL = `**/api${positionTitleEndpoints.list.path}?*`;

test.describe('stars', () => {
  test('selecting the same count again clears the rating', async ({ page, server }) => {
    await openForm(page, server);
    const group = stars(page, 'Overall rating *');
    await rate(page, 'Overall rating *', 3);
    await expect(group.getByRole('radio', { name: '3 stars, good' })).toBeChecked();
    await expect(group.getByText('3 · good')).toBeVisible();
    await rate(page, 'Overall rating *', 5);
    await expect(group.getByRole('radio', { name: '5 stars, excellent' })).toBeChecked();
    await expect(group.getByText('5 · excellent')).toBeVisible();
    await rate(page, 'Overall rating *', 5);
    await expect(group.getByRole('radio', { checked: true })).toHaveCount(0);
    await expect(group.getByText('5 · excellent')).toHaveCount(0);
    // An empty form is no draft.
    await page.reload();
    await expect(group).toBeVisible();
    await expect(page.getByText('We saved your draft.')).toHaveCount(0);
  });

  test('work with the keyboard only', async ({ page, server }) => {
    await openForm(page, server);
    const group = stars(page, 'Overall rating *');
    await page.getByRole('combobox', { name: 'Employer' }).focus();
    await page.keyboard.press('Tab');
    await expect(group.getByRole('radio', { name: '1 star' })).toBeFocused();
    await page.keyboard.press('Space');
    await expect(group.getByRole('radio', { name: '1 star' })).toBeChecked();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(group.getByRole('radio', { name: '3 stars' })).toBeChecked();
    await page.keyboard.press('Space');
    await expect(group.getByRole('radio', { checked: true })).toHaveCount(0);
  });

  test.describe('on a phone', () => {
    test.use({ hasTouch: true, viewport: PHONE });

    test('are centered and respond to a tap', async ({ page, server }) => {
      await openForm(page, server);
      const group = stars(page, 'Work-life balance *');
      const third = group.locator('label').filter({ hasText: '3 stars' });
      await third.tap();
      await expect(group.getByRole('radio', { name: '3 stars' })).toBeChecked();
      const box = await third.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0) / 2).toBeCloseTo(PHONE.width / 2, -1);
      expect(box?.height).toBeGreaterThanOrEqual(44);
    });
  });
});

test.describe('the employer', () => {
  test('is searched when typing pauses, and each term only once', async ({ page, server }) => {
    const asked: string[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname !== `/api${employerEndpoints.list.path}`) return;
      expect(url.searchParams.get('page_size')).toBe('20');
      asked.push(url.searchParams.get('search') ?? '');
    });
    await openForm(page, server);
    await page.clock.install();
    // From here on no keystroke is delayed.
    await page.clock.pauseAt(Date.now() + 60_000);
    const box = page.getByRole('combobox', { name: 'Employer' });
    const list = page.getByRole('listbox');
    await box.pressSequentially('medical');
    await page.clock.runFor(OPTION_SEARCH_DEBOUNCE_MS - 1);
    expect(asked).toEqual([]);
    await page.clock.runFor(1);
    await expect(list.getByRole('option').first()).toBeVisible();
    await box.pressSequentially(' cen');
    await page.clock.runFor(OPTION_SEARCH_DEBOUNCE_MS);
    await expect.poll(() => asked).toEqual(['medical', 'medical cen']);
    await expect(list.getByRole('option').first()).toBeVisible();
    await box.fill('medical');
    await expect(list.getByRole('option', { name: 'medical (Custom hospital)' })).toBeVisible();
    expect(asked).toEqual(['medical', 'medical cen']);
  });

  test('is picked with the keyboard, locks, and unlocks', async ({ page, server }) => {
    const employer = await anEmployer(server);
    await openForm(page, server);
    const box = page.getByRole('combobox', { name: 'Employer' });
    await box.fill(employer.name);
    const first = page.getByRole('listbox').getByRole('option').first();
    await expect(first).toContainText(nameOf(employer));
    await page.keyboard.press('ArrowDown');
    await expect(first).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    const locked = page.getByRole('textbox', { name: 'Employer' });
    await expect(locked).toHaveValue(nameOf(employer));
    await expect(locked).toHaveAttribute('readonly', '');
    await expect(locked).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Modify' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(box).toBeFocused();
    await expect(box).toBeEditable();
    await box.press('ArrowDown');
    await box.press('Escape');
    await expect(page.getByRole('listbox')).toBeHidden();
  });

  test('shows a long name in full', async ({ page, server }) => {
    const long = `Quill ${crypto.randomUUID().slice(0, 8)} Regional Medical Center of the Northern Counties, Department of Physical Medicine and Rehabilitation`;
    const employer = await newEmployer(server, long);
    await openForm(page, server, { employer });
    const locked = page.getByRole('textbox', { name: 'Employer' });
    await expect(locked).toHaveValue(nameOf(employer));
    const hidden = () =>
      locked.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
        scrollWidth - clientWidth,
        scrollHeight - clientHeight,
      ]);
    // The field grows with its text once its new width is known.
    await atSizes(page, [DESKTOP, PHONE], () => expect.poll(hidden).toEqual([0, 0]));
    await expect(page).toBeAccessible();
  });

  test('is chosen by its exact name and Enter', async ({ page, server }) => {
    const employer = await newEmployer(server);
    await page.setViewportSize(PHONE);
    await openForm(page, server);
    // A fast typist may press Enter before the answer arrives.
    const answer = await hold(page, EMPLOYERS_CALL);
    await page.getByRole('combobox', { name: 'Employer' }).fill(employer.name.toLowerCase());
    await page.keyboard.press('Enter');
    answer.release();
    const locked = page.getByRole('textbox', { name: 'Employer' });
    await expect(locked).toHaveValue(nameOf(employer));
    await page.getByRole('button', { name: 'Modify' }).click();
    const box = page.getByRole('combobox', { name: 'Employer' });
    await box.fill(`${employer.name} x`);
    await box.fill(employer.name);
    await expect(page.getByRole('option', { name: nameOf(employer) }).first()).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(locked).toHaveValue(nameOf(employer));
  });

  test('comes from the URL until the user changes it', async ({ page, server }) => {
    const employer = await anEmployer(server);
    await openForm(page, server, { employer });
    await expect(page.getByRole('textbox', { name: 'Employer' })).toHaveValue(nameOf(employer));
    await page.getByLabel('Pros').fill('Parking.');
    await page.getByRole('button', { name: 'Modify' }).click();
    await expect(page).toHaveURL(paths.createReview());
    await expect(page.getByRole('combobox', { name: 'Employer' })).toBeVisible();
    await expect(page.getByLabel('Pros')).toHaveValue('Parking.');
  });

  test('stays empty if the URL has an unknown id', async ({ page, server }) => {
    await openForm(page, server);
    await page.goto(paths.createReview({ employer: 99999999 }));
    await expect(page.getByRole('combobox', { name: 'Employer' })).toBeVisible();
  });

  test('does not have to be in the list', async ({ page, server }) => {
    await openForm(page, server);
    const box = page.getByRole('combobox', { name: 'Employer' });
    await box.fill('Qqxv Zzkw Clinic');
    await expect(page.getByText('No employers found matching "Qqxv Zzkw Clinic"')).toBeVisible();
    await expect(page).toBeAccessible();
    await page.getByRole('option', { name: 'Qqxv Zzkw Clinic (Custom hospital)' }).click();
    await expect(page.getByRole('textbox', { name: 'Employer' })).toHaveValue('Qqxv Zzkw Clinic');
  });

  test('is not offered as a new one if its name exists', async ({ page, server }) => {
    const employer = await anEmployer(server);
    await openForm(page, server);
    await page.getByRole('combobox', { name: 'Employer' }).fill(employer.name.toLowerCase());
    const list = page.getByRole('listbox');
    await expect(list.getByRole('option', { name: nameOf(employer) }).first()).toBeVisible();
    await expect(list.getByRole('option', { name: '(Custom hospital)' })).toHaveCount(0);
  });

  test('says that the search failed', async ({ page, server }) => {
    await page.route(EMPLOYERS_CALL, refuse(500));
    await openForm(page, server);
    await page.getByRole('combobox', { name: 'Employer' }).fill('mercy');
    await expect(page.getByText('Failed to load employers. Please try again later.')).toBeVisible();
  });
});

test.describe('the position', () => {
  test('is a suggestion or free text', async ({ page, server }) => {
    await page.route(TITLES_CALL, (route) => {
      const search = new URL(route.request().url()).searchParams.get('search');
      const results = search === 'card' ? [{ id: 1, title: 'INTERVENTIONAL CARDIOLOGIST' }] : [];
      const json = { count: results.length, next: null, previous: null, results };
      return route.fulfill({ json });
    });
    await openForm(page, server);
    const box = page.getByRole('combobox', { name: 'Position Title *' });
    await box.pressSequentially('card');
    const option = page.getByRole('option', { name: 'Interventional Cardiologist' });
    await expect(option).toBeVisible();
    await box.press('ArrowDown');
    await box.press('Enter');
    await expect(box).toHaveValue('Interventional Cardiologist');
    await expect(option).toBeHidden();

    await box.fill('Moonlighter');
    await expect(page.getByText('No positions found matching "Moonlighter"')).toBeVisible();
    await box.press('Tab');
    await expect(page.getByText('No positions found matching')).toBeHidden();
    await expect(box).toHaveValue('Moonlighter');
  });

  test('a current position disables the end year', async ({ page, server }) => {
    await openForm(page, server);
    const end = page.getByLabel('End Year');
    await end.selectOption('2021');
    await page.getByLabel('I currently work here').check();
    await expect(end).toBeDisabled();
    await expect(end).toHaveValue('');
    await page.getByLabel('I currently work here').uncheck();
    await expect(end).toBeEnabled();
    await expect(end).toHaveValue('');
    await expect(page.getByRole('radio', { name: /^(Yes|No)$/, checked: true })).toHaveCount(0);
  });
});
