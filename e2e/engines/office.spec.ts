import { paths } from '#web/lib/paths.ts';
import { DEMO, DESKTOP } from '../account.ts';
import { reportedReview } from '../office-stock.ts';
import { newTitle } from '../review.ts';
import { signIn } from './account.ts';
import { button, field } from './find.ts';
import { test } from './fixtures.ts';

test('a moderator removes a reported review', async ({ tab, server }) => {
  const text = `Someone objects to this, ${newTitle()}.`;
  await reportedReview(server, { review_text: text });
  const entry = { role: 'listitem', text };
  const dialog = { role: 'dialog', name: 'Remove review' };
  await tab.resize(DESKTOP);
  await signIn(tab, DEMO.admin);
  await tab.open(paths.adminReports());
  await tab.click(button('Remove review', entry));
  await tab.choose(field('Rule', dialog), 'Defamation, threats, and abuse');
  await tab.fill(field('Reason', dialog), 'Insults are not reviews.');
  await tab.click(button('Remove review', dialog));
  await tab.sees('The review has been removed.');
  await tab.gone(entry);
});
