import type { VerificationMode } from '#contract/verification/verification.ts';
import { paths } from '#web/lib/paths.ts';
import { expect, test as registryTest, testApart } from './fixtures.ts';
import { openLive } from './hydration.ts';
import { test as proofTest } from './proofs.ts';

const manualTest = testApart({ VERIFICATION: 'manual' });

/** Texts that the page shows in one mode and no other. */
const SAYS: Record<VerificationMode, { claim: RegExp; footnote: RegExp; inShort?: RegExp }> = {
  proof: { claim: /You also enter a code from a letter/, footnote: /passed one more check/ },
  registry: {
    claim: /stop at the match/,
    footnote: /Anyone can look both up/,
    // Where a match is enough, one sentence of the landing page says so.
    inShort: /a name and NPI match the public NPI registry, which anyone can look up\./,
  },
  manual: { claim: /Nobody is verified automatically/, footnote: /administrator of this site/ },
};

for (const [mode, test] of [
  ['proof', proofTest],
  ['registry', registryTest],
  ['manual', manualTest],
] as const) {
  test(`with ${mode}, the landing page and How it works explain "verified"`, async ({ page }) => {
    const { claim, footnote, inShort } = SAYS[mode];
    const main = page.getByRole('main');
    const expectNoOther = async () => {
      for (const other of Object.values(SAYS))
        if (other.claim !== claim) await expect(main).not.toContainText(other.claim);
    };
    await openLive(page, paths.home());
    const section = page.getByRole('region', { name: 'How it works' });
    await expect(section).toContainText(inShort ?? claim);
    await expect(section.getByRole('listitem')).toHaveCount(inShort ? 0 : 4);
    await expect(section.getByRole('link', { name: 'how reviews stay anonymous' })).toBeVisible();
    const notes = page.getByRole('listitem');
    const hasText = 'Verification does not guarantee current licensure or status.';
    await expect(notes.filter({ hasText })).toContainText(footnote);
    await expectNoOther();
    if (inShort) await expect(page).toBeAccessible('light');

    // With client-side navigation, the browser loads the same text.
    await page.getByRole('link', { name: 'Browse reviews' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Reviews' })).toBeVisible();
    const home = page.getByRole('link', { name: /Curbside/ }).first();
    await home.click();
    await expect(section).toContainText(inShort ?? claim);

    await page.goto(paths.howItWorks());
    const verification = page.getByRole('region', { name: 'Who can write' });
    await expect(verification).toContainText(claim);
    await expect(verification).toContainText('That the license is current');
    await expectNoOther();
    const quick = page.getByText('an unused NPI is verified within seconds');
    await expect(quick).toHaveCount(inShort ? 1 : 0);
  });
}
