import { ArrowLeft } from 'lucide-react';
import type { MouseEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { useHydrated } from '#web/lib/store.ts';

/** Navigation state of a link to an employer. */
export interface Origin {
  /** The path of the list that contains the link. */
  from?: string;
  /** The page was filtered, so the list is no longer the previous history entry. */
  isFiltered?: true;
}

/** Links to the list that the visitor came from, or to the directory. */
export function BackLink() {
  const { state } = useLocation();
  const navigate = useNavigate();
  // The server does not know the navigation state.
  const { from = paths.employers(), isFiltered }: Origin = (useHydrated() && state) || {};
  const isFromReviews = from.startsWith(paths.reviews());

  /** Goes back to the reviews with their filters, pages, and scroll position. */
  function goBack(event: MouseEvent<HTMLAnchorElement>) {
    if (!isFromReviews || isFiltered || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  }

  return (
    <Link
      to={from}
      onClick={goBack}
      className="mt-1 -mb-8 inline-flex md:mt-6 min-h-11 items-center gap-2 text-sm text-ink-soft hover:text-ink print:hidden"
    >
      <ArrowLeft aria-hidden className="size-4" />
      <span>{isFromReviews ? 'All reviews' : 'All employers'}</span>
    </Link>
  );
}
