import { Categories } from '#web/features/landing/categories.tsx';
import { Hero } from '#web/features/landing/hero.tsx';
import { SampleCarousel } from '#web/features/landing/sample-carousel.tsx';
import { TrustPoints } from '#web/features/landing/trust-points.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { MemberLink } from '#web/shell/session-link.tsx';
import { buttonClass } from '#web/ui/button.tsx';

export const meta = () =>
  pageMeta(
    'Anonymous employer reviews by US physicians',
    'What it is like to work at a hospital, residency, fellowship or clinic: anonymous reviews by US physicians whose NPI was verified.',
  );

export default function Landing() {
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
      <TrustPoints />
    </>
  );
}
