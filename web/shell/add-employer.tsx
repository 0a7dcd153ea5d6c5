import { paths } from '#web/lib/paths.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { MemberLink } from './session.tsx';

/** A new employer is added with its first review. The form then has the name that was searched for. */
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
