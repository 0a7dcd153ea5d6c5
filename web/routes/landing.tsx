import type { ReactNode } from 'react';
import { LandingSearch } from '#web/features/site/landing/landing-search.tsx';
import { landingTexts } from '#web/features/site/landing/landing-texts.ts';
import { LiveComparison } from '#web/features/site/landing/live-comparison.tsx';
import { Categories, NumberedSection } from '#web/features/site/landing/numbered-section.tsx';
import { readLive } from '#web/features/site/landing/read-live.ts';
import { SampleCarousel } from '#web/features/site/landing/sample-carousel.tsx';
import { TrustPoints } from '#web/features/site/landing/trust-points.tsx';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { loadVerificationMode } from '#web/lib/render-context.ts';
import { MemberLink } from '#web/shell/session.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import type { Route } from './+types/landing.ts';

export const meta = () =>
  pageMeta(
    'Anonymous employer reviews by US physicians',
    'What it is like to work at a hospital, residency, fellowship, or clinic: anonymous reviews by US physicians, checked against the public NPI registry.',
  );

/** Long texts are data, so that the script does not contain them. */
export const loader = async ({ context }: Route.LoaderArgs) => ({
  ...landingTexts(context.get(loadVerificationMode)),
  live: await readLive(context),
});

export default function Landing({
  loaderData: { lede, definition, live, categories, samples, steps, verified, points, footnotes },
}: Route.ComponentProps) {
  return (
    <>
      <Hero lede={lede}>
        {live ? <LiveComparison {...live} /> : <Definition text={definition} />}
      </Hero>
      <Categories items={categories} />
      <section
        aria-labelledby="samples"
        className="border-y border-rule bg-raised py-6 md:mt-8 md:py-16"
      >
        <div className="page-width grid gap-x-16 gap-y-8 lg:grid-cols-[17rem_1fr]">
          <div>
            <h2 id="samples" className="font-display text-2xl">
              What a review sounds like
            </h2>
            <p className="mt-3 text-ink-soft">
              Four samples. The doctors and employers in them are fictional.
            </p>
          </div>
          <div className="min-w-0">
            <SampleCarousel samples={samples} />
          </div>
        </div>
      </section>
      <section className="page-width flex flex-col items-start justify-between gap-4 py-6 md:flex-row md:py-16 md:items-center">
        <h2 className="max-w-measure font-display text-lg md:text-2xl">
          You know what the recruiter leaves out. Ten minutes of your time could save a colleague a
          year.
        </h2>
        <MemberLink to={paths.createReview()} className={buttonClass('primary', 'lg', 'shrink-0')}>
          Share Your Review
        </MemberLink>
      </section>
      <NumberedSection
        id="how-it-works"
        title="How it works"
        lede={
          <span>
            {verified} See also{' '}
            <Link to={paths.howItWorks()} className="prose-link">
              how reviews stay anonymous
            </Link>{' '}
            and the{' '}
            <Link to={paths.guidelines()} className="prose-link">
              guidelines
            </Link>
            .
          </span>
        }
        items={steps}
        isShortOnPhones
      />
      <TrustPoints points={points} footnotes={footnotes} />
    </>
  );
}

function Hero({ lede, children }: { lede: string; children: ReactNode }) {
  return (
    <section className="page-width grid gap-x-16 gap-y-6 pt-6 pb-6 md:gap-y-12 md:py-20 lg:grid-cols-[1fr_24rem]">
      <div className="min-w-0">
        <p className="label-caps text-base text-accent sm:text-lg">Anonymous physician reviews</p>
        <h1 className="mt-4 font-display text-4xl tracking-[-0.018em]">
          Before you sign, ask a colleague.
        </h1>
        <p className="mt-5 max-w-measure text-ink-soft md:text-lg">{lede}</p>
        <LandingSearch />
        <div className="mt-5 flex flex-wrap items-center gap-3">
          <Link to={paths.reviews()} className={buttonClass('secondary', 'md', 'max-sm:px-4')}>
            Browse reviews
          </Link>
          <MemberLink
            to={paths.createReview()}
            className={buttonClass('secondary', 'md', 'max-sm:px-4')}
          >
            Write reviews
          </MemberLink>
        </div>
        <p className="mt-5 text-sm text-ink-soft md:hidden signed-in:hidden">
          Member, or new here?{' '}
          <Link to={paths.login()} className="prose-link">
            Sign-in / Sign-up
          </Link>
        </p>
      </div>
      {children}
    </section>
  );
}

/** The origin of the name, in the form of a dictionary entry. */
function Definition({ text }: { text: string }) {
  return (
    <aside
      aria-label="Where the name comes from"
      className="curb-rule self-end pt-5 text-sm max-lg:max-w-measure"
    >
      <p>
        <strong className="text-base font-semibold">curb·side con·sult</strong>{' '}
        <i className="text-ink-soft">noun, medicine</i>
      </p>
      <p className="mt-2 text-ink-soft">{text}</p>
      <p className="mt-2 text-ink-soft">
        <i>Here:</i> the same, about employers.
      </p>
    </aside>
  );
}
