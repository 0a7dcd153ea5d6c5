import { use } from 'react';
import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';

/** Offers to lock the first review. Suspends until it is known whether to offer. */
export function LockOffer({ isOffered }: { isOffered: Promise<boolean> }) {
  if (!use(isOffered)) return null;
  return (
    <p className="mt-10 max-w-measure text-sm text-ink-soft">
      You can lock your reviews, so that nobody, not even Curbside, can look up who wrote them.{' '}
      <Link to={paths.reviewLock()} className="prose-link whitespace-nowrap">
        Lock my reviews
      </Link>
    </p>
  );
}
