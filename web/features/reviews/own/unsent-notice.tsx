import { Link } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';

/** After an expired session or a crash one comes back here, not to the form. */
export function UnsentNotice() {
  return (
    <Banner tone="info" className="mb-8">
      You have begun a review that is not sent yet.{' '}
      <Link to={paths.createReview()} className="prose-link">
        Continue writing
      </Link>
    </Banner>
  );
}
