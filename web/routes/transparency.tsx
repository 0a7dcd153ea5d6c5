import { transparencyEndpoints } from '#contract/endpoints/office.ts';
import { DEMAND_KINDS, DEMAND_OUTCOMES } from '#contract/legal-demands/legal-demand-choices.ts';
import {
  DECISION_OUTCOMES,
  REVIEW_RULE_KEYS,
  REVIEW_RULES,
  ruleAnchor,
} from '#contract/review-rules.ts';
import { REPORT_REASONS } from '#contract/reviews/review-feedback.ts';
import { transparencySections } from '#web/features/office/transparency/transparency-sections.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { askApi, readAnswer } from '#web/lib/render-context.ts';
import { TextPage } from '#web/ui/text-page.tsx';
import type { Route } from './+types/transparency.ts';

export const meta = () =>
  pageMeta(
    'Transparency',
    'By month: reports about reviews, what moderators decided and by which rule, how long it took, appeals, and legal demands.',
  );

/** Only the server reads the names, so that the script needs no other files of the contract. */
export const loader = async ({ context }: Route.LoaderArgs) => ({
  record: await readAnswer(await askApi(context, transparencyEndpoints.read)),
  names: {
    reasons: REPORT_REASONS,
    rules: REVIEW_RULE_KEYS.map((rule) => ({
      rule,
      id: ruleAnchor(rule),
      name: REVIEW_RULES[rule].name,
    })),
    outcomes: DECISION_OUTCOMES,
    demands: DEMAND_KINDS,
    demandOutcomes: DEMAND_OUTCOMES,
  },
});

export default function Transparency({ loaderData }: Route.ComponentProps) {
  return (
    <TextPage
      title="Transparency"
      summary="In short: what moderators did, counted from the log of their decisions. It names no author, no reporter, and no review."
      sections={transparencySections(loaderData.record, loaderData.names)}
    />
  );
}
