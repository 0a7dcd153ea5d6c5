import { Link } from '#web/lib/link.tsx';
import { paths } from '#web/lib/paths.ts';
import { SupportLink } from '#web/ui/links.tsx';
import type { TextSection } from '#web/ui/text-page.tsx';

/** docs/product.md, "Legal pages". */
export const TERMS_SECTIONS: readonly TextSection[] = [
  {
    id: 'agreement',
    title: 'What you agree to',
    body: (
      <>
        <p>
          These terms are an agreement between you and the individual who runs Curbside (“we” or
          “us”). By creating an account or using the site, you accept them and the{' '}
          <Link to={paths.privacy()}>Privacy Policy</Link>. If you do not accept them, please do not
          use the site.
        </p>
        <p>
          Curbside is a non-commercial service run by an individual. It is not a company, an
          employer, a recruiter, a staffing agency, or a licensing body, and it is not affiliated
          with any employer listed or reviewed here.
        </p>
      </>
    ),
  },
  {
    id: 'eligibility',
    title: 'Who may have an account',
    body: (
      <>
        <p>You may create an account if all of the following are true:</p>
        <ul>
          <li>you are 18 years of age or older;</li>
          <li>
            you are a licensed, or formerly licensed, healthcare professional in the United States;
          </li>
          <li>the National Provider Identifier (NPI) you give is your own;</li>
          <li>you have no other account: each person may have one.</li>
        </ul>
        <p>Anyone may read the public pages without an account.</p>
      </>
    ),
  },
  {
    id: 'verification',
    title: 'Verification and its limits',
    body: (
      <>
        <p>
          We check the NPI you give against public professional records, and may ask for proof that
          it is yours: a code from a letter to the practice address in those records, or from an
          email to your address at an institution. If questions remain, an administrator decides. An
          NPI belongs to the person who proves it.
        </p>
        <p>
          Verification means that we found the number and the name in those records and, if we asked
          for proof, that the account provided it. It does not guarantee anyone’s identity, current
          licensure, good standing, employment, or status, and you should not rely on it as if it
          did.
        </p>
      </>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <p>
        Keep your password to yourself, and tell us at <SupportLink /> if you think someone else has
        used your account. You are responsible for its use until you tell us. The details you give
        us must be true, and must stay true.
      </p>
    ),
  },
  {
    id: 'reviews',
    title: 'What you may write',
    body: (
      <>
        <p>
          A review is your own honest account of a place where you work, worked, or trained. Reviews
          must be professional and constructive. They must not contain:
        </p>
        <ul>
          <li>
            protected health information, patient details, or anything that could identify a
            patient;
          </li>
          <li>
            defamatory statements: write what you saw and experienced, and label opinions as
            opinions;
          </li>
          <li>names or contact details of colleagues or other private persons;</li>
          <li>
            confidential documents, trade secrets, or anything you are legally required not to
            disclose;
          </li>
          <li>threats, harassment, slurs, or discrimination;</li>
          <li>advertising, recruiting, or a review written in exchange for money or favors;</li>
          <li>
            reviews of an employer where you never worked or trained, or written by someone else in
            your name.
          </li>
        </ul>
        <p>You can edit or delete your reviews from your dashboard at any time.</p>
      </>
    ),
  },
  {
    id: 'moderation',
    title: 'Moderation',
    body: (
      <p>
        We may refuse, hide, or remove a review that violates these terms or the law, and we may
        suspend or close the account behind it. We do not remove a review because an employer
        dislikes it. If you think a review violates these terms, report it or write to{' '}
        <SupportLink /> with the address of the page and the passage in question.
      </p>
    ),
  },
  {
    id: 'license',
    title: 'Your content',
    body: (
      <p>
        You keep the rights to what you write. You allow us, free of charge, to store it, to publish
        it on Curbside, to format and excerpt it there, and to include its ratings in averages, for
        as long as it is on the site. When you delete a review, this permission ends, except for
        copies in backups until those expire.
      </p>
    ),
  },
  {
    id: 'anonymity',
    title: 'Anonymity and its limits',
    body: (
      <p>
        Reviews are published without your name, and the site is designed not to reveal who wrote
        them. Even so, anonymity cannot be guaranteed: what you write, how you write it, or a detail
        that few people know may identify you, and a court may issue an order that we cannot refuse.
        Leave out anything that would identify you.{' '}
        <Link to={paths.legalDemands()}>What we hold, and what we cannot hand over</Link>
      </p>
    ),
  },
  {
    id: 'employer-data',
    title: 'Employer data',
    body: (
      <p>
        Details of employers come from public sources and from users. They may be incomplete,
        outdated, or wrong. Ratings and reviews are the opinions of their authors, not ours. If
        something matters to your decision, check it yourself. Nothing on Curbside is legal,
        financial, immigration, career, or medical advice.
      </p>
    ),
  },
  {
    id: 'conduct',
    title: 'Fair use of the site',
    body: (
      <>
        <p>Please do not:</p>
        <ul>
          <li>try to find out who wrote a review, or help anyone else do so;</li>
          <li>use another person’s account or NPI, or open a second account;</li>
          <li>collect reviews in bulk, or republish them as a database;</li>
          <li>circumvent limits or safeguards, or overload the site;</li>
          <li>use the site to break the law.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'fees',
    title: 'No fees',
    body: <p>Curbside charges no fees to readers, authors, or employers.</p>,
  },
  {
    id: 'warranty',
    title: 'No warranty',
    body: (
      <p>
        The site is provided “as is” and “as available,” without warranty of any kind, express or
        implied, including merchantability, fitness for a particular purpose, accuracy, and
        non-infringement. It may be changed, interrupted, or ended at any time.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Limit of liability',
    body: (
      <p>
        To the fullest extent the law allows, we are not liable for any indirect, incidental,
        special, consequential, or punitive damages, or for lost income, opportunities, data, or
        reputation, arising from the site or from what is written on it. Because the service is free
        of charge, <strong>our total liability to you is limited to $0</strong>. Where the law does
        not allow such a limit, it applies as far as the law allows.
      </p>
    ),
  },
  {
    id: 'indemnity',
    title: 'Your responsibility to us',
    body: (
      <p>
        If someone makes a claim against us because of what you wrote, or because you violated these
        terms or the law, you agree to pay the reasonable cost of that claim.
      </p>
    ),
  },
  {
    id: 'ending',
    title: 'Termination',
    body: (
      <p>
        You may stop using Curbside at any time, and delete your account on your account page. We
        may suspend or close an account that violates these terms. Sections that by their nature
        should outlast the account, such as those on liability and governing law, remain in effect.
      </p>
    ),
  },
  {
    id: 'law',
    title: 'Governing law',
    body: (
      <p>
        These terms are governed by the laws of the State of New York, without regard to its
        conflict of laws rules. Disputes must be brought in the state or federal courts located in
        New York. If part of these terms cannot be enforced, the rest remains in effect.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes and contact',
    body: (
      <p>
        When these terms change, we update the dates at the top of this page. If a change affects
        you, we announce it on the site before it takes effect. Questions: <SupportLink />.
      </p>
    ),
  },
];
