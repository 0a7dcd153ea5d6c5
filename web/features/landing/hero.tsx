import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { MemberLink } from '#web/shell/session.tsx';
import { buttonClass } from '#web/ui/button.tsx';

export function Hero() {
  return (
    <section className="page-width grid gap-x-16 gap-y-12 pt-14 pb-20 md:pt-24 lg:grid-cols-[1fr_17rem]">
      <div>
        <p className="label-caps text-base text-accent sm:text-lg">Anonymous physician reviews</p>
        <h1 className="mt-4 font-display text-4xl tracking-[-0.018em]">
          Before you sign, ask a colleague.
        </h1>
        <p className="mt-6 max-w-measure text-lg text-ink-soft">
          What it is really like to work at a hospital, residency, fellowship, or clinic, told by
          doctors who did. Find the best place to practice medicine, and help other doctors find
          theirs.
        </p>
        <div className="mt-9 flex flex-wrap items-center gap-3">
          <Link to={paths.reviews()} className={buttonClass('primary', 'lg', 'max-sm:px-4')}>
            Browse reviews
          </Link>
          <MemberLink
            to={paths.createReview()}
            className={buttonClass('secondary', 'lg', 'max-sm:px-4')}
          >
            Write reviews
          </MemberLink>
        </div>
        <p className="mt-6 text-sm text-ink-soft md:hidden signed-in:hidden">
          Already here, or new?{' '}
          <Link to={paths.login()} className="prose-link">
            Sign-in / Sign-up
          </Link>
        </p>
      </div>
      <Definition />
    </section>
  );
}

/** The origin of the name, in the form of a dictionary entry. */
function Definition() {
  return (
    <aside
      aria-label="Where the name comes from"
      className="kerb-rule self-end pt-5 text-sm max-lg:max-w-measure"
    >
      <p>
        <strong className="text-base font-semibold">curb·side con·sult</strong>{' '}
        <i className="text-ink-soft">noun, medicine</i>
      </p>
      <p className="mt-2 text-ink-soft">
        The informal, off-the-record advice that one doctor gives another, in a hallway or on the
        way to the car.
      </p>
      <p className="mt-2 text-ink-soft">
        <i>Here:</i> the same, about employers.
      </p>
    </aside>
  );
}
