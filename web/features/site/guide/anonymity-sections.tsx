import { PUBLISH_LATER_DAYS } from '#contract/limits.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import type { TextSection } from '#web/ui/text-page.tsx';

/** docs/anonymity.md, "Who learns what", in plain words. */
export const anonymitySections = (membership: string): readonly TextSection[] => [
  {
    id: 'public',
    title: 'What everyone can see',
    body: (
      <>
        <p>
          A review shows the employer, your ratings and text, what you entered about your job there,
          and the minute when it was posted. It shows no name, no NPI, and no account.
        </p>
        <p>
          If that minute could give you away, choose to publish later. The review then goes live at
          a random minute within the next {PUBLISH_LATER_DAYS} days.
        </p>
      </>
    ),
  },
  {
    id: 'employer',
    title: 'What an employer can learn',
    body: (
      <ul>
        <li>
          <strong>Whether you have an account: not from us.</strong> Signing up, logging in, and
          resetting a password give the same answer in the same time, whether or not an account
          exists. {membership}
        </li>
        <li>
          <strong>That someone visits this site from its network,</strong> and when. It cannot
          recognize a review by the length of what you send: we pad it, and only very long reviews
          with many special letters or emoji take up to twelve longer steps. It can recognize which
          public pages you open. Use another network to write.
        </li>
        <li>
          <strong>What arrives in a mailbox that it runs.</strong> All our emails have the same
          subject and preview, so a list of messages shows only that we wrote, and when. But an
          employer can open them, or request a password reset and see whether an email arrives. Use
          a personal address.
        </li>
        <li>
          <strong>What passes through its mail.</strong> A code sent to a practice or a work mailbox
          can be intercepted and used to claim your NPI. That never moves, hides, or reveals a
          review. It can show that someone has proven your NPI here, or left reviews under it; with
          its own mailboxes, an employer can try that for a few doctors a month. If nobody has
          proven the NPI, the employer is verified in your name. Only two administrators together
          can take an NPI from an account that has proven it.
        </li>
        <li>
          <strong>What you write.</strong> See <a href="#limits">what we cannot protect against</a>.
        </li>
      </ul>
    ),
  },
  {
    id: 'thief',
    title: 'What a thief would learn',
    body: (
      <>
        <p>
          Someone who steals a copy of our database, but not the keys that we store elsewhere, would
          learn:
        </p>
        <ul>
          <li>
            <strong>No names.</strong> The copy contains no email address, name, or NPI in readable
            form. Trying every NPI in the country does not help.
          </li>
          <li>
            <strong>Which reviews have the same author,</strong> but not who the author is.
          </li>
          <li>
            <strong>What the site does not show:</strong> how many accounts there are, scrambled
            passwords, reviews that were removed or are not published yet, the text of reports, and
            how many readers found a review not helpful.
          </li>
          <li>
            <strong>A good guess at which account wrote what on that day.</strong> An account is a
            random number without a name. Every night, we remove the traces that allow such guesses.
            Someone who takes the server’s disk can find them for longer. Copies from different days
            also show which accounts and reviews are new.
          </li>
        </ul>
        <p>With our keys as well, a thief would learn more:</p>
        <ul>
          <li>
            with a key to identities: <strong>who has an account,</strong> and who was banned or
            left reviews behind, but, after the nightly cleanup, not who wrote what;
          </li>
          <li>
            with the key to authorship: <strong>which account wrote what,</strong> but not whose
            account it is;
          </li>
          <li>
            with both: <strong>who wrote what,</strong> except for locked reviews;
          </li>
          <li>
            with the key to sessions: whose login failed that day and from which network, and who
            changed their email address in the last week.
          </li>
        </ul>
      </>
    ),
  },
  {
    id: 'ourselves',
    title: 'What we ourselves can learn',
    body: (
      <>
        <ul>
          <li>
            <strong>Administrators</strong> learn who has an account, because they verify doctors,
            and what was reported. Nothing shows them who wrote, voted, or reported. If they verify
            a doctor at noon and see a review of the same small hospital at one, they can still
            guess.
          </li>
          <li>
            <strong>Our logs</strong> show which kind of page was requested, when, and with what
            result. They show that a review was posted at a certain second, but not by whom: they
            contain no network address, account, search, or text. The companies that carry and host
            our traffic see which addresses visit the site, as with any website.
          </li>
          <li>
            <strong>Whoever holds the database and all keys</strong> can compute who wrote what,
            except for locked reviews. All we can offer here is our promise not to.
          </li>
        </ul>
        <p>
          You do not have to rely on that promise.{' '}
          <Link to={paths.reviewLock()}>Lock your reviews</Link> on your account page. Then the
          database, all keys, and all logs together do not tell us which reviews are yours. The more
          members lock theirs, the better that works: if you were the only one, we would know. A
          lock does not reach older copies of the database, is only as strong as your password, and
          cannot protect you from someone who controls the running server while you log in.
        </p>
      </>
    ),
  },
  {
    id: 'limits',
    title: 'What we cannot protect against',
    body: (
      <p>
        Anonymity cannot be guaranteed. Your style, a rare detail, or several reviews that together
        describe one career can tell a reader who you are. A court can issue an order that we cannot
        refuse. See <a href="#legal-demands">legal demands</a>. The{' '}
        <Link to={paths.guidelines('anonymity')}>guidelines</Link> explain how to write without
        giving yourself away.
      </p>
    ),
  },
];

const WHO_LEARNS_WHAT = [
  {
    who: 'Every reader',
    could: 'Your ratings, your text, your job there, and the minute of posting.',
    couldNot: 'Your name, NPI, or account.',
  },
  {
    who: 'Your employer',
    could: 'That someone on its network visits this site, and what arrives in its mailboxes.',
    couldNot: 'Which review is yours, unless your words tell.',
  },
  {
    who: 'We who run the site',
    could: 'Who has an account. With the database and every key, who wrote what.',
    couldNot: 'Which reviews are yours, once you lock them.',
  },
  {
    who: 'A thief with our database',
    could: 'Which reviews have the same author. With our keys, more.',
    couldNot: 'Without our keys, any name, email address, or NPI.',
  },
];

const CELL = 'py-2.5 pr-3 text-left align-top last:pr-0 max-[16rem]:block max-[16rem]:py-1';

/** The sections in four rows. */
export function WhoLearnsWhat() {
  return (
    <table className="mt-6 w-full table-fixed border-t border-ink text-sm max-[16rem]:block">
      <caption className="sr-only">Who could learn what about an author</caption>
      <thead>
        <tr className="border-b border-rule">
          <th scope="col" className={`${CELL} w-[26%]`}>
            Who
          </th>
          <th scope="col" className={CELL}>
            Could learn
          </th>
          <th scope="col" className={CELL}>
            Could not
          </th>
        </tr>
      </thead>
      <tbody>
        {WHO_LEARNS_WHAT.map(({ who, could, couldNot }) => (
          <tr key={who} className="border-b border-rule">
            <th scope="row" className={CELL}>
              {who}
            </th>
            <td className={`${CELL} text-ink-soft`}>{could}</td>
            <td className={`${CELL} text-ink-soft`}>{couldNot}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
