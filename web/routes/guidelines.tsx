import { REVIEW_RULE_KEYS, REVIEW_RULES, ruleAnchor } from '#contract/review-rules.ts';
import { REPORT_REASONS } from '#contract/reviews/review-feedback.ts';
import { SCREENING_KINDS } from '#contract/reviews/screening.ts';
import { guidelineSections } from '#web/features/site/guide/guidelines-sections.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { TextPage } from '#web/ui/text-page.tsx';
import type { Route } from './+types/guidelines.ts';

export const meta = () =>
  pageMeta(
    'Guidelines',
    'What belongs in a review of an employer, what to leave out, how reports are handled, and when a review is removed.',
  );

/**
 * Only the server reads these files of the contract, so the script contains neither zod nor the
 * patterns.
 */
export const loader = () => ({
  screened: Object.values(SCREENING_KINDS),
  reasons: Object.values(REPORT_REASONS),
  rules: REVIEW_RULE_KEYS.map((rule) => ({ id: ruleAnchor(rule), text: REVIEW_RULES[rule].text })),
});

export default function Guidelines({ loaderData }: Route.ComponentProps) {
  return (
    <TextPage
      title="Guidelines"
      summary="In short: write what you would tell a colleague in the hallway. Keep it true, firsthand, and fair, with no patients and no names."
      sections={guidelineSections(loaderData)}
    />
  );
}
