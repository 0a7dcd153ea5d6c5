import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import type { TextSection } from '#web/ui/text-page.tsx';

/** What docs/anonymity.md says about us, for someone who comes with a subpoena, and for authors. */
export const LEGAL_DEMANDS: TextSection = {
  id: 'legal-demands',
  title: 'Legal demands',
  body: (
    <>
      <p>A court can order us to hand over what we hold. In short, that is:</p>
      <ul>
        <li>
          <strong>Of each account:</strong> name, email address, username, NPI, the day of joining,
          how the NPI was verified, and what was saved. It is encrypted, and we have the keys.
        </li>
        <li>
          <strong>Of each review:</strong> what is public, and its minute. Also reviews that were
          removed or are not out yet, what moderators decided, and appeals.
        </li>
        <li>
          <strong>Of each employer’s representative:</strong> name, title at work, work email, and
          the replies.
        </li>
        <li>
          <strong>Who wrote, voted, or reported:</strong> we do not store it, but with all our keys
          it can be computed, except for members who have locked their reviews.
        </li>
      </ul>
      <p>What we cannot hand over, because we do not have it:</p>
      <ul>
        <li>
          <strong>
            Who wrote a <Link to={paths.reviewLock()}>locked review.</Link>
          </strong>{' '}
          What we store does not tell us, not even with all keys. An order that controls the running
          server while the author logs in could still find out.
        </li>
        <li>
          <strong>Network addresses, browsers, and searches.</strong> We neither store nor log them.
          After a failed login, a keyed code of the address remains for a day at most.
        </li>
        <li>
          <strong>At what time someone joined or signed in.</strong> At most, we know the day.
        </li>
        <li>
          <strong>Whose reviews a deleted account left behind,</strong> and reviews that were
          deleted. Backups may still have both, until they expire.
        </li>
      </ul>
      <p>
        If a demand is about one of your reviews, your <Link to={paths.dashboard()}>dashboard</Link>{' '}
        says so while your account is verified, with its kind, its day, and what came of it, unless
        the law forbids us to tell you. We do that without looking up who you are. We send no email
        about it. <Link to={paths.transparency()}>Transparency</Link> shows by month which demands
        we received and what came of them.
      </p>
    </>
  ),
};
