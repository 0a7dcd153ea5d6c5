import { paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { MemberLink } from './session.tsx';

/**
 * Links to the review form with the name that was searched for, because an employer is added with
 * its first review.
 */
export function AddEmployer({ name }: { name: string | undefined }) {
  if (!name) return null;
  return (
    <MemberLink
      to={paths.createReview({ employer_name: name })}
      className={buttonClass('secondary')}
    >
      Add this employer
    </MemberLink>
  );
}
