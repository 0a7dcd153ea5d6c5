import { titleCase } from '#contract/names.ts';
import type { Representative } from '#contract/representatives.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { Banner } from '#web/ui/banner.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { Asked } from '../verification/asked.tsx';

/**
 * Explains why there is nothing to reply to. `own` is null for an account that represents nobody.
 */
export function RepresentationStatus({ own }: { own: Representative | null }) {
  return (
    <div className="page-width">
      <PageHeading
        title={own ? titleCase(own.employer.name) : 'Represent an employer'}
        {...(own && { subtitle: `Your work title: ${own.work_title}` })}
      />
      <Banner tone="info" className="mt-8">
        {own === null
          ? 'Representatives have a different kind of account. To sign up as one, sign out first.'
          : own.state === 'pending'
            ? 'We are checking that you represent this employer. After that, you can reply to its reviews here.'
            : `We could not confirm that you represent this employer. Reason: ${own.reason}`}
      </Banner>
      {own?.state === 'pending' && <Asked request={own.asked} className="mt-6 mb-8" />}
      {own && (
        <p className="mt-6">
          <Link to={paths.employer(own.employer.id)} className="prose-link">
            The page for {titleCase(own.employer.name)}
          </Link>
        </p>
      )}
    </div>
  );
}
