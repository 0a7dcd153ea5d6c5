import type { Locator, Page } from '@playwright/test';
import { paths } from '#web/lib/paths.ts';
import { DESKTOP } from './account.ts';
import { compare, expectSideBySide, insightsOf, list, namesOf } from './employers.ts';
import { expect, onPhone, test } from './fixtures.ts';
import { openLive } from './hydration.ts';
import type { TestServer } from './server.ts';

/** The most actions from the landing page to comparing two hospitals for a specialty. */
const ACTIONS_AT_MOST = 6;

/** Two employers on the first page of the directory, and a specialty from their reviews. */
async function twoEmployers(server: TestServer) {
  const { results } = await list(server);
  const [one, other] = results.filter(({ total_reviews }) => total_reviews > 0);
  if (!one || !other) throw new Error('the demo data has no two such employers');
  const [{ specialty } = { specialty: '' }] = (await insightsOf(server, one.id)).specialties;
  return { ids: [one.id, other.id], names: namesOf([one, other]), specialty };
}

const employersLink = (page: Page) =>
  page.getByRole('link', { name: 'Employers', exact: true }).filter({ visible: true }).first();

onPhone('on a phone, two hospitals are side by side after six taps', async ({ page, server }) => {
  const wanted = await twoEmployers(server);
  let actions = 0;
  const tap = async (what: Locator) => {
    actions += 1;
    await what.tap();
  };
  await openLive(page, paths.home());
  await tap(employersLink(page));
  for (const name of wanted.names) await tap(compare(page, name));
  await tap(page.getByRole('link', { name: 'Compare these 2 employers' }));
  // One tap opens the phone's native list, and another one chooses.
  actions += 2;
  await page.getByLabel('Ratings by').selectOption(wanted.specialty);
  await expectSideBySide(page, wanted);
  expect(actions).toBeLessThanOrEqual(ACTIONS_AT_MOST);
});

test.describe('with the keyboard alone', () => {
  test.use({ viewport: DESKTOP });

  test('two hospitals are side by side after five actions', async ({ page, server }) => {
    test.slow();
    const wanted = await twoEmployers(server);
    let actions = 0;
    /** Moves the focus with Tab. Like moving a finger, this does not count as an action. */
    const reach = async (what: Locator) => {
      const isFocused = () => what.evaluate((element) => element === document.activeElement);
      await what.waitFor({ state: 'attached' });
      for (let step = 0; step < 200 && !(await isFocused()); step += 1)
        await page.keyboard.press('Tab');
      await expect(what).toBeFocused();
    };
    const press = async (what: Locator, key: string) => {
      await reach(what);
      actions += 1;
      await page.keyboard.press(key);
    };
    await openLive(page, paths.home());
    await press(employersLink(page), 'Enter');
    for (const name of wanted.names) {
      await press(compare(page, name), 'Space');
      await expect(compare(page, name)).toHaveAttribute('aria-pressed', 'true');
    }
    const open = page.getByRole('link', { name: 'Open the comparison' });
    await page.keyboard.press('Tab');
    // The link comes right after the last employer, not after all other cards.
    await expect(open).toBeFocused();
    await press(open, 'Enter');
    await page.waitForURL(paths.compare(wanted.ids));
    await reach(page.getByLabel('Ratings by'));
    actions += 1;
    await page.keyboard.type(wanted.specialty);
    await expectSideBySide(page, wanted);
    expect(actions).toBeLessThanOrEqual(ACTIONS_AT_MOST);
  });
});
