import type { Locator, Page } from '@playwright/test';
import { PHONE } from './account.ts';
import { expect, test } from './fixtures.ts';
import {
  anEmployer,
  banner,
  fillReview,
  nameOf,
  newTitle,
  openForm,
  rate,
  stars,
  submit,
} from './review.ts';

/** A check: message, field, and fix. */
type Check = [string, (page: Page) => Locator, (page: Page) => Promise<unknown>];
const rated = (message: string, legend: string): Check => [
  message,
  (page) => stars(page, legend).getByRole('radio', { name: '1 star' }),
  (page) => rate(page, legend, 4),
];
/** The checks in order. */
const CHECKS: readonly Check[] = [
  rated('Please provide an overall rating', 'Overall rating *'),
  rated('Please rate work-life balance', 'Work-life balance *'),
  rated('Please rate mentorship & growth', 'Mentorship & growth *'),
  rated('Please rate team collaboration', 'Team collaboration *'),
  rated('Please rate compensation & benefits', 'Compensation & benefits *'),
  [
    'Please write a review summary',
    (page) => page.getByLabel('Review Summary *'),
    (page) => page.getByLabel('Review Summary *').fill('Good nights.'),
  ],
  [
    'Please enter your position title',
    (page) => page.getByLabel('Position Title *'),
    (page) => page.getByLabel('Position Title *').fill(newTitle()),
  ],
  [
    'Please select your start year',
    (page) => page.getByLabel('Start Year *'),
    (page) => page.getByLabel('Start Year *').selectOption('2019'),
  ],
  [
    'Please indicate if you would recommend this employer',
    (page) => page.getByRole('radio', { name: 'Yes' }),
    (page) => page.getByRole('radio', { name: 'No', exact: true }).check(),
  ],
  [
    'Please select an end year or check "I currently work here"',
    (page) => page.getByLabel('End Year'),
    (page) => page.getByLabel('End Year').selectOption('2022'),
  ],
];

test('shows the first error, scrolls to it, and clears it', async ({ page, server }) => {
  const employer = await anEmployer(server);
  await page.setViewportSize(PHONE);
  await openForm(page, server);
  await expect(page).toBeAccessible();

  await submit(page);
  await expect(banner(page)).toHaveText('Please select an employer');
  const box = page.getByRole('combobox', { name: 'Employer' });
  await expect(box).toBeFocused();
  await box.fill(employer.name);
  await expect(banner(page)).toBeHidden();
  await page
    .getByRole('listbox')
    .getByRole('option', { name: nameOf(employer) })
    .first()
    .click();

  for (const [message, field, remedy] of CHECKS) {
    await submit(page);
    await expect(banner(page)).toHaveText(message);
    await expect(banner(page)).toBeInViewport();
    await expect(field(page)).toBeFocused();
    // The radio buttons of the stars are hidden behind their labels.
    await expect(field(page).locator('xpath=..')).toBeInViewport();
    if (message === 'Please write a review summary') {
      await expect(page).toBeAccessible();
      await field(page).fill('   ');
      await expect(banner(page)).toBeHidden();
      await submit(page);
      await expect(banner(page)).toHaveText(message);
    }
    await remedy(page);
    await expect(banner(page)).toBeHidden();
  }
  await page.getByLabel('End Year').selectOption('2010');
  await submit(page);
  await expect(banner(page)).toHaveText('The end year must not be before the start year');
  await page.getByLabel('End Year').selectOption('2022');
  await page.getByLabel('Cons').fill('x'.repeat(5001));
  await submit(page);
  await expect(banner(page)).toHaveText('Cons: Must be at most 5000 characters');
  await expect(page.getByLabel('Cons')).toBeFocused();
});

test('marks required fields; an error describes its field in red', async ({ page, server }) => {
  const now = new Date();
  await page.clock.setFixedTime(now);
  await openForm(page, server, { employer: await anEmployer(server) });
  for (const label of ['Review Summary *', 'Start Year *']) {
    await expect(page.getByLabel(label)).toHaveAttribute('required', '');
  }
  for (const [label, rows] of [
    ['Review Summary *', '6'],
    ['Pros', '4'],
    ['Cons', '4'],
  ] as const) {
    await expect(page.getByLabel(label)).toHaveAttribute('rows', rows);
  }
  for (const label of ['Start Year *', 'End Year']) {
    const years = await page.getByLabel(label).locator('option').allTextContents();
    const newest = now.getUTCFullYear();
    expect(years.slice(1)).toEqual(Array.from({ length: 30 }, (_, back) => String(newest - back)));
  }
  await expect(page.getByText('Your name is never shown on reviews.')).toBeVisible();

  await submit(page);
  const group = stars(page, 'Overall rating *');
  await expect(group).toHaveAccessibleDescription('Please provide an overall rating');
  await expect(group.getByText('Please provide an overall rating')).toBeVisible();
  await fillReview(page);
  await page.getByLabel('Start Year *').selectOption('');
  await submit(page);
  const year = page.getByLabel('Start Year *');
  await expect(year).toBeFocused();
  await expect(year).toHaveAccessibleDescription('Please select your start year');
  const [danger, ring] = await year.evaluate((select) => {
    const probe = document.body.appendChild(document.createElement('span'));
    probe.style.color = 'var(--color-danger)';
    const { color } = getComputedStyle(probe);
    probe.remove();
    return [color, Number.parseFloat(getComputedStyle(select).outlineOffset)] as const;
  });
  await expect(year).toHaveCSS('border-color', danger);
  // Outside the border.
  expect(ring).toBeGreaterThanOrEqual(0);
});
