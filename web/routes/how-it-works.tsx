import { WhoLearnsWhat } from '#web/features/site/guide/anonymity-sections.tsx';
import { howItWorksSections } from '#web/features/site/guide/how-it-works-sections.tsx';
import { VERIFICATION_TEXTS } from '#web/features/site/landing/landing-texts.ts';
import { pageMeta } from '#web/lib/page-meta.ts';
import { loadVerificationMode } from '#web/lib/render-context.ts';
import { TextPage } from '#web/ui/text-page.tsx';
import type { Route } from './+types/how-it-works.ts';

export const meta = () =>
  pageMeta(
    'How it works',
    'How Curbside verifies doctors, what keeps reviews anonymous and what does not, who moderates, and who runs the site.',
  );

/** As on the landing page, the script does not contain the texts of other modes. */
export function loader({ context }: Route.LoaderArgs) {
  const { steps, membership } = VERIFICATION_TEXTS[context.get(loadVerificationMode)];
  return { steps, membership };
}

export default function HowItWorks({ loaderData }: Route.ComponentProps) {
  return (
    <TextPage
      title="How it works"
      summary={
        <>
          <p>
            In short: only verified doctors can write, and no review shows a name. This page
            explains what that protects you from, and what it does not.
          </p>
          <WhoLearnsWhat />
        </>
      }
      sections={howItWorksSections(loaderData)}
    />
  );
}
