import { Hero } from '#web/features/landing/hero.tsx';
import { landingTexts } from '#web/features/landing/landing-texts.ts';
import { Categories, NumberedSection } from '#web/features/landing/numbered-section.tsx';
import { SampleCarousel } from '#web/features/landing/sample-carousel.tsx';
import { TrustPoints } from '#web/features/landing/trust-points.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { HOW_IT_WORKS_ID, paths } from '#web/lib/paths.ts';
import { loadVerificationMode } from '#web/lib/render-context.ts';
import { MemberLink } from '#web/shell/session.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import type { Route } from './+types/landing.ts';

export const meta = () =>
  pageMeta(
    'Anonymous employer reviews by US physicians',
    'What it is like to work at a hospital, residency, fellowship or clinic: anonymous reviews by US physicians, checked against the public NPI registry.',
  );

/** The texts on verification are data, so that the script does not contain those of other modes. */
export const loader = ({ context }: Route.LoaderArgs) =>
  landingTexts(context.get(loadVerificationMode));

export default function Landing({
  loaderData: { steps, points, footnotes },
}: Route.ComponentProps) {
  return (
    <>
      <Hero />
      <Categories />
      <section aria-labelledby="samples" className="mt-8 border-y border-rule bg-raised py-16">
        <div className="page-width grid gap-x-16 gap-y-8 lg:grid-cols-[17rem_1fr]">
          <div>
            <h2 id="samples" className="font-display text-2xl">
              What a review sounds like
            </h2>
            <p className="mt-3 text-ink-soft">
              Four samples. The doctors and the employers in them are invented.
            </p>
          </div>
          <div className="min-w-0">
            <SampleCarousel />
          </div>
        </div>
      </section>
      <section className="page-width flex flex-col items-start justify-between gap-6 py-16 md:flex-row md:items-center">
        <h2 className="max-w-measure font-display text-2xl">
          You know what the recruiter leaves out. Ten minutes of yours may save a colleague a year.
        </h2>
        <MemberLink to={paths.createReview()} className={buttonClass('primary', 'lg', 'shrink-0')}>
          Share Your Review
        </MemberLink>
      </section>
      <NumberedSection
        id={HOW_IT_WORKS_ID}
        title="How it works"
        lede="What stands behind the word “verified” on this site."
        items={steps}
      />
      <TrustPoints points={points} footnotes={footnotes} />
    </>
  );
}
