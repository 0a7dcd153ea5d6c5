import { LandingSearch } from '#web/features/landing/landing-search.tsx';
import { landingTexts } from '#web/features/landing/landing-texts.ts';
import { Categories, NumberedSection } from '#web/features/landing/numbered-section.tsx';
import { SampleCarousel } from '#web/features/landing/sample-carousel.tsx';
import { TrustPoints } from '#web/features/landing/trust-points.tsx';
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

type Texts = ReturnType<typeof landingTexts>;

/** Long texts are data, so that the script does not contain them. */
export const loader = ({ context }: Route.LoaderArgs) =>
  landingTexts(context.get(loadVerificationMode));

export default function Landing({
  loaderData: { lede, definition, categories, samples, steps, points, footnotes },
}: Route.ComponentProps) {
  return (
    <>
      <Hero lede={lede} definition={definition} />
      <Categories items={categories} />
      <section aria-labelledby="samples" className="mt-8 border-y border-rule bg-raised py-16">
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
      <section className="page-width flex flex-col items-start justify-between gap-6 py-16 md:flex-row md:items-center">
        <h2 className="max-w-measure font-display text-2xl">
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
            What “verified” means on this site. See also{' '}
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
      />
      <TrustPoints points={points} footnotes={footnotes} />
    </>
  );
}

function Hero({ lede, definition }: Pick<Texts, 'lede' | 'definition'>) {
  return (
    <section className="page-width grid gap-x-16 gap-y-12 pt-14 pb-20 md:pt-24 lg:grid-cols-[1fr_17rem]">
      <div className="min-w-0">
        <p className="label-caps text-base text-accent sm:text-lg">Anonymous physician reviews</p>
        <h1 className="mt-4 font-display text-4xl tracking-[-0.018em]">
          Before you sign, ask a colleague.
        </h1>
        <p className="mt-6 max-w-measure text-lg text-ink-soft">{lede}</p>
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
        <p className="mt-6 text-sm text-ink-soft md:hidden signed-in:hidden">
          Already a member, or new here?{' '}
          <Link to={paths.login()} className="prose-link">
            Sign-in / Sign-up
          </Link>
        </p>
      </div>
      <Definition definition={definition} />
    </section>
  );
}

/** The origin of the name, in the form of a dictionary entry. */
function Definition({ definition }: Pick<Texts, 'definition'>) {
  return (
    <aside
      aria-label="Where the name comes from"
      className="curb-rule self-end pt-5 text-sm max-lg:max-w-measure"
    >
      <p>
        <strong className="text-base font-semibold">curb·side con·sult</strong>{' '}
        <i className="text-ink-soft">noun, medicine</i>
      </p>
      <p className="mt-2 text-ink-soft">{definition}</p>
      <p className="mt-2 text-ink-soft">
        <i>Here:</i> the same, about employers.
      </p>
    </aside>
  );
}
