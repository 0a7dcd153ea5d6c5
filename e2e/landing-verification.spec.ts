import type { VerificationMode } from '#contract/verification.ts';
import { paths } from '#web/lib/paths.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';
import { startServer } from './server.ts';

/** Texts that the page shows in one mode and no other. */
const SAYS: Record<VerificationMode, { claim: RegExp; footnote: RegExp }> = {
  proof: { claim: /You also enter a code from a letter/, footnote: /passed one more check/ },
  registry: { claim: /stop at the match/, footnote: /Anyone can look both up/ },
  manual: { claim: /Nobody is verified automatically/, footnote: /administrator of this site/ },
};

for (const [mode, { claim, footnote }] of Object.entries(SAYS)) {
  test(`with VERIFICATION=${mode} the landing page and How it works say what "verified" means`, async ({
    page,
    expectAccessible,
  }) => {
    test.slow();
    const server = await startServer({ env: { VERIFICATION: mode } });
    await using stack = new AsyncDisposableStack();
    stack.defer(() => server.stop());
    await openLive(page, server.url + paths.home());
    const section = page.getByRole('region', { name: 'How it works' });
    await expect(section).toContainText(claim);
    await expect(section).toContainText('That the license is current');
    const notes = page.getByRole('listitem');
    await expect(
      notes.filter({ hasText: 'Verification does not guarantee current licensure or status.' }),
    ).toContainText(footnote);
    for (const other of Object.values(SAYS)) {
      if (other.claim !== claim) await expect(page.locator('main')).not.toContainText(other.claim);
    }
    await expectAccessible();

    // With client-side navigation, the browser loads the same text.
    await page.getByRole('link', { name: 'Browse reviews' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Reviews' })).toBeVisible();
    await page
      .getByRole('link', { name: /Curbside/ })
      .first()
      .click();
    await expect(section).toContainText(claim);

    await page.goto(server.url + paths.howItWorks());
    const verification = page.getByRole('region', { name: 'Who can write' });
    await expect(verification).toContainText(claim);
    for (const other of Object.values(SAYS)) {
      if (other.claim !== claim) await expect(page.locator('main')).not.toContainText(other.claim);
    }
    await expect(page.getByText('an unused NPI is verified within seconds')).toHaveCount(
      mode === 'registry' ? 1 : 0,
    );
  });
}

test('the claim links to How it works', async ({ page }) => {
  await openLive(page, paths.home());
  await page.getByRole('main').getByRole('link', { name: 'How it works' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'How it works' })).toBeInViewport();
});
