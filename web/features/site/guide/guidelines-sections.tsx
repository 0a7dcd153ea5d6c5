import { DEPARTURE_DAYS, PUBLISH_LATER_DAYS } from '#contract/limits.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { SupportLink } from '#web/ui/links.tsx';
import type { TextSection } from '#web/ui/text-page.tsx';

interface Guidelines {
  /** What screening rejects. */
  screened: readonly string[];
  /** The reasons for a report. */
  reasons: readonly string[];
  /** What to leave out. Moderation decisions link to the ids. */
  rules: readonly { readonly id: string; readonly text: string }[];
}

/** docs/product.md, "How it works and guidelines". */
export const guidelineSections = ({
  screened,
  reasons,
  rules,
}: Guidelines): readonly TextSection[] => [
  {
    id: 'write',
    title: 'What helps a colleague',
    body: (
      <ul>
        <li>Write about a place where you have worked or trained yourself.</li>
        <li>
          Say what you would want to know before signing: call, staffing, teaching, what the bonus
          really depends on, whether promises were kept.
        </li>
        <li>Say what you saw and experienced, and label opinions as opinions.</li>
        <li>Keep it professional and constructive. Praise and criticism both belong here.</li>
        <li>
          Post one review for each position you held at an employer, and edit it when things change.
        </li>
      </ul>
    ),
  },
  {
    id: 'leave-out',
    title: 'What to leave out',
    body: (
      <>
        <ul>
          {rules.map(({ id, text }) => (
            <li key={id} id={id} className="scroll-mt-6">
              {text}
            </li>
          ))}
        </ul>
        <p>Before a review is posted, we check its text. We do not accept it if it contains:</p>
        <ul>
          {screened.map((kind) => (
            <li key={kind}>{kind}</li>
          ))}
        </ul>
        <p>
          The form shows what was found and where. Nothing you typed is lost. Years, salaries,
          ratios, doses, and shifts are fine.
        </p>
      </>
    ),
  },
  {
    id: 'anonymity',
    title: 'How to stay anonymous',
    body: (
      <>
        <ul>
          <li>Leave out details that only few people know, and dates that point to you.</li>
          <li>Choose a broader position title if yours is rare at that employer.</li>
          <li>
            Do not write from your employer’s network, and sign up with a personal email address.
          </li>
          <li>
            Publish later: the review goes live at a random minute within the next{' '}
            {PUBLISH_LATER_DAYS} days.
          </li>
          <li>
            <Link to={paths.reviewLock()}>Lock your reviews,</Link> so that we cannot look up who
            wrote them.
          </li>
        </ul>
        <p>
          <Link to={paths.howItWorks()}>How it works</Link> explains who can learn what.
        </p>
      </>
    ),
  },
  {
    id: 'reporting',
    title: 'Reporting a review',
    body: (
      <>
        <p>Any signed-in user can report someone else’s review, once, for one of these reasons:</p>
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
        <p>
          A moderator sees your reason, your note, and the day, but never your name. If you don’t
          have an account, write to <SupportLink /> with the address of the page and the passage in
          question.
        </p>
      </>
    ),
  },
  {
    id: 'moderation',
    title: 'What a moderator decides',
    body: (
      <>
        <ul>
          <li>
            <strong>Keep:</strong> the review stays, and its reports are closed.
          </li>
          <li>
            <strong>Remove:</strong> the review no longer appears on public pages or counts in
            averages. The moderator must give a reason.
          </li>
          <li>
            <strong>Hide until edited:</strong> the same, but the author may edit the review and
            submit it again. A moderator then looks at it again.
          </li>
          <li>
            <strong>Restore:</strong> a removed review appears and counts again.
          </li>
        </ul>
        <p>
          Each decision names one of the rules above. No number of reports hides a review on its
          own. A moderator reads it first.
        </p>
        <p>
          We do not remove a review because an employer dislikes it, and nobody can pay for a
          removal. A moderator does not know who wrote the review.
        </p>
        <p>
          If someone else proves that the NPI of an account is theirs, the account can no longer
          post. Its reviews stay as they are.
        </p>
      </>
    ),
  },
  {
    id: 'removed',
    title: 'If your review was removed',
    body: (
      <p>
        Your dashboard shows the review with the rule and the reason. We don’t email you about it.
        You can delete a removed review, but you can’t edit it unless it is only hidden until
        edited. If you write to us about it, we learn that it is yours.
      </p>
    ),
  },
  {
    id: 'replies',
    title: 'Replies from employers',
    body: (
      <>
        <p>
          A representative of an employer, whom we have checked, can reply once to each review. The
          reply appears below the review, under the employer’s name and never a person’s.
        </p>
        <p>
          A reply may explain, correct, and thank. It may not ask or guess who wrote the review, or
          ask the author to get in touch. Representatives see what everyone sees, and cannot learn
          who wrote a review. You can report a reply just like a review, including a reply to your
          own.
        </p>
      </>
    ),
  },
  {
    id: 'own',
    title: 'Changing and deleting your own',
    body: (
      <p>
        You can edit or delete a review from your dashboard. If you delete your account, you choose
        what happens to your reviews: they are deleted right away, deleted one by one over{' '}
        {DEPARTURE_DAYS} days, or kept, detached from any account.
      </p>
    ),
  },
];
