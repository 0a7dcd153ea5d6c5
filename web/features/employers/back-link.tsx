import { ArrowLeft } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';

/** What a link to an employer carries along in the history. */
export interface Origin {
  /** The list that it stood in. */
  from?: string;
  /** The page was filtered since: the list is no longer the entry before it. */
  isFiltered?: true;
}

/** To the list one came from; else to the directory. */
export function BackLink() {
  const { state } = useLocation();
  const navigate = useNavigate();
  // The server knows nothing of where one came from.
  const { from = paths.employers(), isFiltered }: Origin = (useHydrated() && state) || {};
  const isFromReviews = from.startsWith(paths.reviews());

  /** To the reviews as they were left: their filters, their pages and their place. */
  function goBack(event: MouseEvent<HTMLAnchorElement>) {
    if (!isFromReviews || isFiltered || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  }

  return (
    <Link
      to={from}
      onClick={goBack}
      className="mt-6 -mb-8 inline-flex min-h-11 items-center gap-2 text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {isFromReviews ? 'All reviews' : 'All employers'}
    </Link>
  );
}
