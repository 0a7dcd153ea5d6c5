import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';

/** The stated claims of the specification, section 1, with their footnotes. */
const POINTS = [
  {
    title: 'Posted anonymously',
    note: 1,
    text: 'Your name and NPI never appear on a review, and a copy of our database would not tell which account wrote which one.',
  },
  {
    title: 'Practitioners only',
    note: 2,
    text: 'Everyone who writes here has an NPI that was checked against public professional records. Recruiters and employers do not.',
  },
  {
    title: 'Protected data',
    note: null,
    text: 'Names, e-mail addresses and NPIs are stored encrypted. There are no advertisements, and nothing is sold.',
  },
] as const;

const FOOTNOTES = [
  'Anonymity cannot be guaranteed: what you write may tell more than your name would.',
  'Verification does not guarantee current licensure or status.',
] as const;

export function TrustPoints() {
  return (
    <section aria-labelledby="trust" className="page-width py-16">
      <h2 id="trust" className="font-display text-2xl">
        Why doctors can speak here
      </h2>
      <ul className="mt-8 grid gap-x-12 gap-y-8 border-t border-ink pt-6 md:grid-cols-3">
        {POINTS.map(({ title, note, text }) => (
          <li key={title}>
            <h3 className="text-lg font-semibold">
              {title}
              {note && <Reference note={note} />}
            </h3>
            <p className="mt-2 text-ink-soft">{text}</p>
          </li>
        ))}
      </ul>
      <div className="mt-10">
        <Link to={paths.dashboard()} className={buttonClass('primary', 'lg', 'signed-out:hidden')}>
          My dashboard
        </Link>
        <Link to={paths.signup()} className={buttonClass('primary', 'lg', 'signed-in:hidden')}>
          Join now
        </Link>
      </div>
      <ol className="mt-10 border-t border-rule pt-4 text-xs text-ink-faint">
        {FOOTNOTES.map((text, place) => (
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
