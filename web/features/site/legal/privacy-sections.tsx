import { PRIVACY_ANSWER_DAYS } from '#contract/limits.ts';
import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { SupportLink } from '#web/ui/links.tsx';
import type { TextSection } from '#web/ui/text-page.tsx';

/** docs/product.md, "Legal pages". */
export const PRIVACY_SECTIONS: readonly TextSection[] = [
  {
    id: 'scope',
    title: 'Who this covers',
    body: (
      <p>
        This policy explains what personal information Curbside handles, why, and what you can
        request. Curbside is a non-commercial service run by an individual, for healthcare
        professionals in the United States who are 18 or older. It is not meant for children, and we
        do not knowingly handle their information.
      </p>
    ),
  },
  {
    id: 'collected',
    title: 'What you give us',
    body: (
      <ul>
        <li>
          <strong>Account details:</strong> first and last name, email address, and a password, of
          which we store only a one-way hash.
        </li>
        <li>
          <strong>Your NPI,</strong> a ten-digit number that is listed in a public registry.
        </li>
        <li>
          <strong>Reviews:</strong> ratings, text, position title, years of employment, and the
          employer.
        </li>
        <li>
          <strong>Messages to us,</strong> if you send any.
        </li>
      </ul>
    ),
  },
  {
    id: 'automatic',
    title: 'What we receive when you visit',
    body: (
      <>
        <p>
          Like any website, ours receives your IP address and browser type with each request. We use
          the address only to respond and to limit abuse. When you are signed in, neither is stored
          with your account or written to our logs.
        </p>
        <p>
          Your browser stores what the site needs to work: tokens that keep you signed in, in local
          storage, and three cookies. <code>csrftoken</code> prevents other sites from submitting
          forms for you. <code>known_device</code> keeps people who guess passwords from locking you
          out. <code>write_position</code> lasts for a minute after you save something, so that the
          next page shows it. Your browser also stores unsent drafts of reviews, appeals, replies,
          and corrections, the employers that you are comparing, your notes about them, your
          specialty, and what you save while signed out. Signing out deletes the drafts. There are
          no analytics, tracking, or advertising cookies.
        </p>
      </>
    ),
  },
  {
    id: 'use',
    title: 'How we use it',
    body: (
      <ul>
        <li>to verify that you are a healthcare professional;</li>
        <li>to sign you in, and to send you codes, reset links, and notices about your account;</li>
        <li>
          to publish your reviews without your name, and to include their ratings in averages;
        </li>
        <li>to prevent abuse, and to enforce the Terms of Use;</li>
        <li>to answer your messages, and to comply with the law.</li>
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
        Medicaid Services, or look it up in our own copy of that registry. If you request a letter,
        we use the registry’s address to mail it, and delete the address afterwards. If you use an
        email address at your institution, its mail system sees the message. We do not store that
        address, only a keyed code that is linked to no account. Your own account page shows the
        last four digits of your NPI. We tell nobody what you write.
      </p>
    ),
  },
  {
    id: 'anonymity',
    title: 'How we separate reviews from you',
    body: (
      <>
        <p>
          Your name, email address, and NPI are stored encrypted, under a key that is kept outside
          of the database. A review does not name an account. It has a keyed code that only the
          server can compute, while you are signed in, so that you can edit or delete your review.
        </p>
        <p>
          You can lock your reviews on your account page. That code is then derived from a secret
          that we store only in a form protected by your password and your recovery code. So even
          with our keys, we cannot tell from what we store which reviews are yours.
        </p>
        <p>
          Even so, anonymity cannot be guaranteed. A revealing detail or a recognizable style may
          identify you, and no system can resist every attack or every court order.
        </p>
      </>
    ),
  },
  {
    id: 'sharing',
    title: 'Who we share it with',
    body: (
      <>
        <p>
          <strong>We do not sell personal information, and we show no targeted advertising.</strong>{' '}
          We do not share information for anyone else’s advertising either. We share it only:
        </p>
        <ul>
          <li>as your published reviews, without your name;</li>
          <li>
            with the hosting and email services that the site needs, which may use it only for that
            purpose;
          </li>
          <li>with the public NPI registry, as described above;</li>
          <li>
            where the law requires it. We then share no more than we must and, where allowed, tell
            you first.{' '}
            <Link to={paths.legalDemands()}>What we hold, and what we cannot hand over</Link>.
          </li>
        </ul>
        <p>
          We do not tell an employer, or anyone else who asks, whether someone has an account here.
        </p>
      </>
    ),
  },
  {
    id: 'security',
    title: 'Security',
    body: (
      <p>
        Connections are encrypted, passwords are hashed, identities are encrypted, and access is
        limited. No measure is perfect. If a breach affects you, we will notify you as the law
        requires.
      </p>
    ),
  },
  {
    id: 'retention',
    title: 'How long we keep it',
    body: (
      <p>
        We keep account details while you have an account. Verification codes expire within minutes,
        and reset links within 24 hours. We keep a review until you delete it or it is removed. When
        you delete your account, you choose whether to delete your reviews too, right away or one by
        one over four weeks. Reviews that stay no longer belong to any account, so you can no longer
        edit or delete them. In that case we keep your NPI, encrypted, for 12 months, so that nobody
        can post under it again during that time. After a ban, we keep it until the ban is lifted.
        Copies in backups are deleted when the backup expires.
      </p>
    ),
  },
  {
    id: 'rights',
    title: 'What you can request',
    body: (
      <>
        <p>
          Wherever you live in the United States, you can ask us what information we have about you,
          request a copy, correct it, or delete it, and we will not treat you worse for asking. You
          can do much of this yourself: edit your name and email address, download your information,
          and delete your account on your account page, and manage reviews on your dashboard.
        </p>
        <p>
          Write to <SupportLink /> from the email address of your account. We answer privacy
          requests within {PRIVACY_ANSWER_DAYS} days. If a request is complex, we may extend that by
          another {PRIVACY_ANSWER_DAYS} days, and will tell you so within the first{' '}
          {PRIVACY_ANSWER_DAYS}. If we refuse, we explain why, and you may ask us to reconsider.
        </p>
      </>
    ),
  },
  {
    id: 'states',
    title: 'State privacy laws',
    body: (
      <p>
        Some states give residents additional rights, such as opting out of the sale of personal
        information, of targeted advertising, and of profiling. We do none of these, so there is
        nothing to opt out of. We collect only the categories named above.
      </p>
    ),
  },
  {
    id: 'place',
    title: 'Where we handle it',
    body: (
      <p>
        Curbside is meant for use in the United States, and information is handled there. If you
        visit from another country, you do so under the law of the United States.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes and contact',
    body: (
      <p>
        When this policy changes, we update the dates at the top of this page. If a change affects
        you, we announce it on the site before it takes effect. Questions and requests:{' '}
        <SupportLink />.
      </p>
    ),
  },
];
