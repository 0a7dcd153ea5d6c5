import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import type { landingTexts } from './landing-texts.ts';

type TrustPointsProps = Pick<ReturnType<typeof landingTexts>, 'points' | 'footnotes'>;

/** The claims of docs/product.md, "Purpose", with their footnotes. */
export function TrustPoints({ points, footnotes }: TrustPointsProps) {
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
