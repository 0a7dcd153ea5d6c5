import { ESTABLISHED_PRIOR, ESTABLISHED_WEIGHT } from '#contract/limits.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { SupportLink } from '#web/ui/links.tsx';
import type { TextSection } from '#web/ui/text-page.tsx';
import { anonymitySections } from './anonymity-sections.tsx';

/**
 * What we can and cannot hand over (docs/anonymity.md), for authors and for anyone with a subpoena.
 */
const LEGAL_DEMANDS: TextSection = {
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

interface HowItWorks {
  /** What verification proves on this site. */
  steps: readonly { readonly title: string; readonly text: string }[];
  /** Whether signing up reveals that an NPI has an account. */
  membership: string;
}

/** docs/product.md, "How it works and guidelines". */
export const howItWorksSections = ({ steps, membership }: HowItWorks): readonly TextSection[] => [
  {
    id: 'verification',
    title: 'Who can write',
    body: (
      <>
        <p>Anyone can read. Only verified doctors can post reviews.</p>
        <ul>
          {steps.map(({ title, text }) => (
            <li key={title}>
              <strong>{title}.</strong> {text}
            </li>
          ))}
        </ul>
        <p>Your NPI is used for verification only. It is never shown publicly.</p>
      </>
    ),
  },
  ...anonymitySections(membership),
  LEGAL_DEMANDS,
  {
    id: 'ratings',
    title: 'How employers are ranked',
    body: (
      <>
        <p>
          An employer’s rating is the average of all its published reviews. Nobody can pay for a
          place in a list.
        </p>
        <p>
          In the directory, “Highest Rated” sorts by that average, so a single five-star review can
          lead. “Best established” also weighs how many reviews there are: it counts as if each
          reviewed employer had {ESTABLISHED_WEIGHT} more reviews with {ESTABLISHED_PRIOR} stars.
        </p>
      </>
    ),
  },
  {
    id: 'moderation',
    title: 'Moderation',
    body: (
      <p>
        Before a review is posted, we check it for patient identifiers and contact details. Any
        signed-in user can report a review, and a moderator decides whether it stays. We do not
        remove a review because an employer dislikes it. The{' '}
        <Link to={paths.guidelines()}>guidelines</Link> have the details, and the{' '}
        <Link to={paths.transparency()}>transparency report</Link> shows what was decided each
        month.
      </p>
    ),
  },
  {
    id: 'who',
    title: 'Who runs it',
    body: (
      <>
        <p>
          Curbside is a non-commercial service run by an individual. It is not a company, an
          employer, or a recruiter, and it is not affiliated with any employer. There are no fees
          and no ads, and we sell no data.
        </p>
        <p>
          Questions: <SupportLink />. The <Link to={paths.terms()}>Terms of Use</Link> and the{' '}
          <Link to={paths.privacy()}>Privacy Policy</Link> apply.
        </p>
      </>
    ),
  },
];
