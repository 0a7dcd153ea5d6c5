import { ESTABLISHED_PRIOR, ESTABLISHED_WEIGHT } from '#contract/limits.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { SupportLink } from '#web/ui/support-link.tsx';
import type { TextSection } from '#web/ui/text-page.tsx';
import { anonymitySections } from './anonymity-sections.tsx';
import { LEGAL_DEMANDS } from './legal-demands-section.tsx';

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
