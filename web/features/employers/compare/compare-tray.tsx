import { X } from 'lucide-react';
import { Link } from 'react-router';
import { COMPARE_MAX, COMPARE_MIN } from '#contract/employer-choices.ts';
import { paths } from '#web/lib/paths.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { type Shortlisted, shortlist, useShortlist } from './shortlist.ts';

/**
 * The shortlist, at the foot of the window. Its place at the end of the page is kept free, so that
 * nothing moves when the browser brings it.
 */
export function CompareTray() {
  const list = useShortlist();
  return (
    <div className="sticky bottom-[calc(var(--tab-bar-height)+env(safe-area-inset-bottom))] pointer-events-none z-10 mt-10 flex min-h-24 flex-col justify-end pt-3 md:bottom-0">
      {list.length > 0 && (
        <aside
          aria-label="Employers to compare"
          data-tray
          className="pointer-events-auto flex flex-wrap items-center gap-x-6 gap-y-1 rounded-t-md border border-b-0 border-control bg-raised px-4 py-2.5 shadow-raised"
        >
          <p role="status" className="label-caps text-sm text-ink-soft">
            {list.length} of {COMPARE_MAX} chosen
          </p>
          <ul className="flex min-w-0 flex-1 gap-x-4 gap-y-1 max-md:order-last max-md:basis-full max-md:overflow-x-auto md:flex-wrap">
            {list.map((employer) => (
              <li key={employer.id} className="min-w-0 max-md:max-w-64 max-md:shrink-0">
                <Chip employer={employer} />
              </li>
            ))}
          </ul>
          <div className="flex items-center gap-1 max-md:ml-auto">
            <Button variant="quiet" size="sm" onClick={shortlist.clear}>
              Clear
            </Button>
            {list.length < COMPARE_MIN ? (
              <span className="text-sm text-ink-soft">Add one more</span>
            ) : (
              <Link
                to={paths.compare(list.map(({ id }) => id))}
                className={buttonClass('primary', 'sm')}
              >
                Compare
                <span className="sr-only"> these {list.length} employers</span>
              </Link>
            )}
          </div>
        </aside>
      )}
    </div>
  );
}

function Chip({ employer }: { employer: Shortlisted }) {
  return (
    <span className="flex items-center gap-1 text-sm">
      <Link
        to={paths.employer(employer.id)}
        className="truncate decoration-accent underline-offset-4 hover:underline"
      >
        {employer.name}
      </Link>
      <button
        type="button"
        onClick={() => shortlist.remove(employer.id)}
        className="grid size-7 shrink-0 place-items-center text-ink-faint hover:text-ink"
      >
        <X aria-hidden className="size-4" />
        <span className="sr-only">Remove {employer.name}</span>
      </button>
    </span>
  );
}
