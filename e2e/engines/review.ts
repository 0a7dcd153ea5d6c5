import { paths } from '#web/lib/paths.ts';
import { newTitle } from '../review.ts';
import { button, field, heading, option } from './find.ts';
import type { Page } from './page.ts';

const RATINGS = [
  'Overall rating *',
  'Work-life balance *',
  'Mentorship & growth *',
  'Team collaboration *',
  'Compensation & benefits *',
];

/** Writes a review by the form. */
export async function writeReview(tab: Page, employer: string, text: string): Promise<void> {
  await tab.open(paths.createReview());
  await tab.fill({ role: 'combobox', name: 'Employer' }, employer);
  await tab.click(option(new RegExp(`^${employer}`)));
  for (const rating of RATINGS) {
    await tab.click({ role: 'radio', name: /^4 stars/, inside: { role: 'group', name: rating } });
  }
  await tab.fill(field('Review Summary *'), text);
  await tab.fill(field('Position Title *'), newTitle());
  await tab.choose(field('Start Year *'), '2019');
  await tab.choose(field('End Year'), '2022');
  await tab.click({ role: 'radio', name: 'Yes' });
  await tab.click(button('Submit Review'));
  await tab.sees(heading('Review Submitted!'));
}
