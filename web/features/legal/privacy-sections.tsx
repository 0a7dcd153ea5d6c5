import { PRIVACY_ANSWER_DAYS } from '#contract/limits.ts';
import { SupportLink } from '#web/ui/support-link.tsx';
import type { LegalSection } from './legal-page.tsx';

/** Specification, section 1 ("Privacy"), section 2 ("Legal pages") and section 9. */
export const PRIVACY_SECTIONS: readonly LegalSection[] = [
  {
    id: 'scope',
    title: 'Whom this is about',
    body: (
      <p>
        This policy says what personal information Curbside handles, why, and what you can ask for.
        Curbside is a non-commercial service run by an individual, for healthcare professionals in
        the United States who are 18 or older. It is not meant for children, and we do not knowingly
        handle their information.
      </p>
    ),
  },
  {
    id: 'collected',
    title: 'What you give us',
    body: (
      <ul>
        <li>
          <strong>Account details:</strong> first and last name, e-mail address, and a password, of
          which only a one-way hash is kept.
        </li>
        <li>
          <strong>Your NPI,</strong> a ten-digit number that is itself part of a public register.
        </li>
        <li>
          <strong>Reviews:</strong> ratings, text, position title, years of employment, and the
          employer they are about.
        </li>
        <li>
          <strong>What you write to us,</strong> if you write to us.
        </li>
      </ul>
    ),
  },
  {
    id: 'automatic',
    title: 'What is handled when you visit',
    body: (
      <>
        <p>
          Like any website, ours receives your IP address and browser type with each request. It
          uses the address in passing, to answer you and to limit abuse; neither of the two is
          stored with your account or written to our logs when you are signed in.
        </p>
        <p>
          Your browser keeps what the site needs to work: tokens that keep you signed in, in local
          storage, and one cookie (<code>csrftoken</code>) that protects forms from being sent by
          other sites. It also keeps a review that you have begun and not sent, and the employers
          you are comparing; signing out clears the review. There are no analytics, tracking or
          advertising cookies.
        </p>
      </>
    ),
  },
  {
    id: 'use',
    title: 'What we use it for',
    body: (
      <ul>
        <li>to verify that you are a healthcare professional;</li>
        <li>to sign you in, and to send you codes, reset links and notices about your account;</li>
        <li>to publish your reviews, without your name, and to count their ratings in averages;</li>
        <li>to keep out abuse, and to enforce the Terms of Use;</li>
        <li>to answer you, and to comply with the law.</li>
      </ul>
    ),
  },
  {
    id: 'npi',
    title: 'Your NPI',
    body: (
      <p>
        <strong>The NPI is used for verification only and is never shown publicly.</strong> To
        verify it, we send the number to the public registry of the Centers for Medicare &amp;
        Medicaid Services, or look it up in our own copy of that registry. If you ask for a letter,
        the registry’s address goes on the envelope and is deleted afterwards. If you use a mailbox
        of your institution, its mail system sees the message, and we do not keep the address, only
        a keyed code that is tied to no account. Your own account page shows the last four digits of
        your NPI. Nobody learns from us what you write.
      </p>
    ),
  },
  {
    id: 'anonymity',
    title: 'How reviews are kept apart from you',
    body: (
      <>
        <p>
          Your name, e-mail address and NPI are stored encrypted, under a key that is kept outside
          the database. A review names no account: it carries a keyed code that only the server can
          compute, while you are signed in, to let you edit or delete what you wrote.
        </p>
        <p>
          You can lock your reviews on your account page. That code is then made from a secret which
          we store only under your password and your recovery code. So from what we store, our keys
          included, we cannot look up which reviews are yours.
        </p>
        <p>
          Even so, anonymity cannot be guaranteed. A telling detail or a recognizable style may give
          an author away, and no system is proof against every attack or every court order.
        </p>
      </>
    ),
  },
  {
    id: 'sharing',
    title: 'Whom we share it with',
    body: (
      <>
        <p>
          <strong>We do not sell personal information, and we show no targeted advertising.</strong>{' '}
          Nor do we share information for anyone else’s advertising. It leaves our hands only:
        </p>
        <ul>
          <li>as your published reviews, which carry no name;</li>
          <li>
            to the services the site cannot do without, for hosting and for sending e-mail, bound to
            use it for that alone;
          </li>
          <li>to the public NPI registry, as said above;</li>
          <li>
            where the law compels us. We then give no more than we must and, where we are allowed
            to, tell you first.
          </li>
        </ul>
        <p>We do not tell an employer, or anyone who asks, whether somebody has an account here.</p>
      </>
    ),
  },
  {
    id: 'security',
    title: 'Security',
    body: (
      <p>
        Connections are encrypted, passwords are hashed, identities are sealed, and access is
        limited. No measure is perfect; if a breach concerns you, we will tell you as the law
        requires.
      </p>
    ),
  },
  {
    id: 'retention',
    title: 'How long it is kept',
    body: (
      <p>
        Account details are kept while you have an account. Verification codes expire within minutes
        and reset links within 24 hours. A review is kept until you delete it or it is removed. When
        you delete your account, you choose whether your reviews go along, at once or one by one
        over four weeks. Those that stay belong to nobody from then on: you can neither change nor
        delete them any more. We then keep your NPI, encrypted, so that nobody can post under it
        again for 12 months; and after a ban, until the ban is lifted. Copies in backups go when the
        backup expires.
      </p>
    ),
  },
  {
    id: 'rights',
    title: 'What you can ask for',
    body: (
      <>
        <p>
          Wherever you live in the United States, you can ask us what we hold about you, to have a
          copy of it, to correct it, or to delete it, and we will not treat you worse for asking.
          Much of it you can do yourself: names and e-mail address on your account page, where you
          can also download what we hold about you and delete your account, and reviews on your
          dashboard.
        </p>
        <p>
          Write to <SupportLink /> from the address of your account. We answer privacy requests
          within {PRIVACY_ANSWER_DAYS} days; where a request is complex we may extend that by
          another {PRIVACY_ANSWER_DAYS} days, and will tell you so within the first{' '}
          {PRIVACY_ANSWER_DAYS}. If we refuse, we say why, and you may ask us to look again.
        </p>
      </>
    ),
  },
  {
    id: 'states',
    title: 'State privacy laws',
    body: (
      <p>
        Some states give their residents further rights, among them to opt out of the sale of
        personal information, of targeted advertising and of profiling. As we do none of these,
        there is nothing to opt out of. We collect no more than the categories named above.
      </p>
    ),
  },
  {
    id: 'place',
    title: 'Where it is handled',
    body: (
      <p>
        Curbside is meant for use in the United States, and information is handled there. If you
        visit from elsewhere, you do so under the law of the United States.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes and contact',
    body: (
      <p>
        When this policy changes, the dates at the top of this page change with it; if the change
        matters to you, we say so on the site before it takes effect. Questions and requests:{' '}
        <SupportLink />.
      </p>
    ),
  },
];
