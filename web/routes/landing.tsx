import { type ComponentProps, type ReactNode, type SyntheticEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { Form } from 'react-router';
import { landingTexts } from '#web/features/site/landing/landing-texts.ts';
import { readLive } from '#web/features/site/landing/read-live.ts';
import { SampleCarousel } from '#web/features/site/landing/sample-carousel.tsx';
import { Link } from '#web/lib/link.tsx';
import { pageMeta } from '#web/lib/page-meta.ts';
import { paths } from '#web/lib/paths.ts';
import { loadVerificationMode } from '#web/lib/render-context.ts';
import { MemberLink } from '#web/shell/member-link.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { controlClass } from '#web/ui/control.ts';
import { cx } from '#web/ui/cx.ts';
import { Stars } from '#web/ui/stars.tsx';
import type { Route } from './+types/landing.ts';

type TrustPointsProps = Pick<ReturnType<typeof landingTexts>, 'points' | 'footnotes'>;

/** The claims of docs/product.md, "Purpose", with their footnotes. */
function TrustPoints({ points, footnotes }: TrustPointsProps) {
  return (
    <section aria-labelledby="trust" className="page-width py-6 md:py-16">
      <h2 id="trust" className="font-display text-2xl">
        Why doctors can speak here
      </h2>
      <ul className="mt-4 grid gap-x-12 gap-y-4 border-t border-ink pt-4 md:mt-8 md:pt-6 md:grid-cols-3">
        {points.map(({ title, note, text }) => (
          <li key={title} className="wrap-anywhere">
            <h3 className="inline text-lg font-semibold">{title}</h3>
            {note && <Reference note={note} />}
            <p className="mt-1 text-ink-soft max-sm:text-sm">
              {text}
              {note === 2 && (
                <>
                  {' '}
                  <Link to={paths.howItWorks()} className="prose-link">
                    How it works
                  </Link>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      <div className="mt-6 md:mt-10">
        <Link to={paths.dashboard()} className={buttonClass('primary', 'lg', 'signed-out:hidden')}>
          My dashboard
        </Link>
        <Link to={paths.signup()} className={buttonClass('primary', 'lg', 'signed-in:hidden')}>
          Join now
        </Link>
      </div>
      <ol className="mt-6 border-t border-rule pt-4 md:mt-10 text-xs text-ink-faint">
        {footnotes.map((text, place) => (
          <li key={text} id={`note-${place + 1}`} className="flex gap-2 py-0.5">
            <span>{place + 1}</span>
            {text}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Reference({ note }: { note: number }) {
  return (
    <a
      href={`#note-${note}`}
      aria-label={`Note ${note}`}
      className="ml-0.5 px-1 align-super text-xs font-normal text-accent no-underline"
    >
      {note}
    </a>
  );
}

interface NumberedSectionProps {
  id: string;
  title: string;
  lede: ReactNode;
  items: readonly { readonly title: string; readonly text: string }[];
  /** Leaves out the items there, which another page repeats. */
  isShortOnPhones?: boolean;
}

function NumberedSection({ id, title, lede, items, isShortOnPhones }: NumberedSectionProps) {
  return (
    <section aria-labelledby={id} className="page-width py-6 md:py-16">
      <div
        className={cx(
          'grid gap-x-16 gap-y-4 md:gap-y-8',
          items.length > 0 && 'lg:grid-cols-[17rem_1fr]',
        )}
      >
        <div>
          <h2 id={id} className="font-display text-xl md:text-2xl">
            {title}
          </h2>
          <p className="mt-3 max-w-measure text-ink-soft">{lede}</p>
        </div>
        {items.length > 0 && (
          <ol className={cx('border-t border-ink', isShortOnPhones && 'max-md:hidden')}>
            {items.map((item, place) => (
              <li
                key={item.title}
                className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-2 border-b border-rule py-1.5 wrap-anywhere sm:grid-cols-[2rem_15.5rem_1fr] sm:py-5"
              >
                <span aria-hidden className="font-display text-xl leading-7 text-accent">
                  {place + 1}
                </span>
                <h3 className="text-base font-semibold">{item.title}</h3>
                <p className="text-ink-soft max-sm:col-start-2 max-sm:text-sm">{item.text}</p>
              </li>
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

function Categories({ items }: Pick<NumberedSectionProps, 'items'>) {
  return (
    <NumberedSection
      id="categories"
      title="Five things worth comparing"
      lede="Every review rates the same five."
      items={items}
    />
  );
}

type LiveComparisonProps = NonNullable<Awaited<ReturnType<typeof readLive>>>;

/** The site's numbers, and two of its employers side by side. */
function LiveComparison({ numbers, employers, rows, path }: LiveComparisonProps) {
  return (
    <section aria-labelledby="live" className="curb-rule self-center pt-4 lining-nums">
      <h2 id="live" className="font-display text-xl">
        {numbers}
      </h2>
      <table className="mt-3 w-full table-fixed text-sm wrap-anywhere [&_:is(td,th)]:py-1 sm:[&_:is(td,th)]:py-1.5 [&_:is(td,th)]:pr-1 [&_:is(td,th)]:text-left [&_:is(td,th)]:align-top">
        <caption className="sr-only">The two employers with the most reviews</caption>
        <thead>
          <tr className="border-b border-rule">
            <td className="w-2/5 max-sm:w-[44%]" />
            {employers.map(({ name, about, path: page }) => (
              <th key={page} scope="col" className="max-sm:text-xs">
                <Link to={page}>{name}</Link>
                <span className="block text-xs font-normal text-ink-faint">{about}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, averages }) => (
            <tr key={label} className="border-b border-rule">
              <th scope="row" className="font-normal text-ink-soft max-sm:text-xs">
                {label}
              </th>
              {averages.map((average, place) => (
                <td key={employers[place]?.path}>
                  {average === null ? (
                    'N/A'
                  ) : (
                    <>
                      {average.toFixed(1)}{' '}
                      <span aria-hidden className="max-sm:hidden">
                        <Stars rating={average} size="sm" />
                      </span>
                    </>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-sm">
        <Link to={path} className="prose-link">
          Compare them in full
        </Link>
      </p>
    </section>
  );
}

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

const SEARCH_ID = 'find';

/**
 * The search of the landing page, a GET form. The script for suggestions loads only once the box is
 * used. The box stays the same element, because a phone hides its keyboard if it is replaced.
 */
function LandingSearch() {
  const [suggestions, setSuggestions] = useState<ReactNode>(null);
  const [box, setBox] = useState<ComponentProps<'input'>>({ onFocus: wake, onInput: wake });

  async function wake({ currentTarget: input }: SyntheticEvent<HTMLInputElement>) {
    // Offline, the plain form stays.
    const loaded = await import('#web/features/site/landing/landing-combobox.tsx').catch(
      () => null,
    );
    if (!loaded || !input.isConnected) return;
    // Synchronous, so that the suggestions know all that is typed.
    flushSync(() => setSuggestions(<loaded.LandingCombobox input={input} takeBox={setBox} />));
  }

  return (
    <Form
      action={paths.employers()}
      role="search"
      className="mt-6 max-w-measure md:mt-9 print:hidden"
    >
      <label htmlFor={SEARCH_ID} className="text-sm font-semibold">
        Find an employer, a specialty, or a position
      </label>
      <div className="stage mt-2 flex flex-wrap gap-3">
        <div className="min-w-0 flex-[1_1_12rem]">
          <input
            id={SEARCH_ID}
            type="search"
            name="search"
            autoComplete="off"
            {...box}
            placeholder="For example, cardiology"
            className={`${controlClass} h-13 px-4 max-sm:placeholder:text-sm`}
          />
          {suggestions}
        </div>
        <button type="submit" className={buttonClass('primary', 'lg', 'max-sm:px-4')}>
          Search
        </button>
      </div>
    </Form>
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
