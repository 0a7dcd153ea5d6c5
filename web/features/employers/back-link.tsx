import { ArrowLeft } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';

/** To the reviews for whoever came from there; else to the directory. */
export function BackLink() {
  const { state } = useLocation();
  // The server knows nothing of where one came from.
  const cameFromReviews = useHydrated() && state?.from === paths.reviews();
  const navigate = useNavigate();

  /** To the list as it was left: its filters, its pages and its place. */
  function goBack(event: MouseEvent) {
    if (!cameFromReviews || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  }

  return (
    <Link
      to={cameFromReviews ? paths.reviews() : paths.employers()}
      onClick={goBack}
      className="mt-6 -mb-8 inline-flex min-h-11 items-center gap-2 text-sm text-ink-soft hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {cameFromReviews ? 'All reviews' : 'All employers'}
    </Link>
  );
}
