import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import type { TextSection } from '#web/ui/text-page.tsx';

/**
 * What we can and cannot hand over (docs/anonymity.md), for authors and for anyone with a subpoena.
 */
export const LEGAL_DEMANDS: TextSection = {
  id: 'legal-demands',
  title: 'Legal demands',
  body: (
    <>
      <p>A court can order us to hand over what we hold. In short, that is:</p>
      <ul>
        <li>
          <strong>About each account:</strong> name, email address, username, NPI, the day of
          joining, how the NPI was verified, and what was saved. This is encrypted, but we have the
          keys.
        </li>
        <li>
          <strong>About each review:</strong> what is public, including the minute when it was
          posted. Also reviews that were removed or are not published yet, what moderators decided,
          and appeals.
        </li>
        <li>
          <strong>About each employer’s representative:</strong> name, work title, work email, and
          replies.
        </li>
        <li>
          <strong>About each legal demand:</strong> its kind, days, sender, docket number, and
          outcome, the review it names, and the document, which is encrypted.
        </li>
        <li>
          <strong>Who wrote, voted, or reported:</strong> we do not store this, but it can be
          computed with all our keys, except for members who have locked their reviews.
        </li>
      </ul>
      <p>What we cannot hand over, because we do not have it:</p>
      <ul>
        <li>
          <strong>
            Who wrote a <Link to={paths.reviewLock()}>locked review.</Link>
          </strong>{' '}
          What we store does not tell us, even with all our keys. Someone who, by court order,
          controls the running server while the author logs in could still find out.
        </li>
        <li>
          <strong>Network addresses, browsers, and searches.</strong> We neither store nor log them.
          After a failed login, a keyed code of the address remains for a day at most.
        </li>
        <li>
          <strong>The time when someone joined or signed in.</strong> At most, we know the day.
        </li>
        <li>
          <strong>Whose reviews a deleted account left behind,</strong> and reviews that were
          deleted. Backups may still contain both until they expire.
        </li>
      </ul>
      <p>
        If a demand concerns one of your reviews, your <Link to={paths.dashboard()}>dashboard</Link>{' '}
        tells you while your account is verified, with the kind of demand, the day, and the outcome,
        unless the law forbids us to tell you. We do that without looking up who you are, and we
        don’t email you about it. The <Link to={paths.transparency()}>transparency report</Link>{' '}
        shows which demands we received each month and their outcomes.
      </p>
    </>
  ),
};
