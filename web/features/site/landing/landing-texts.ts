import type { CategoryRating } from '#contract/review-choices.ts';
import type { VerificationMode } from '#contract/verification/verification.ts';

/** The texts of the landing page. Only loaders read this file, so browsers do not load it. */
export function landingTexts(mode: VerificationMode) {
  const { claim, footnote, steps } = VERIFICATION_TEXTS[mode];
  const points = [
    // `note` is the number of the footnote.
    {
      title: 'Posted anonymously',
      note: 1,
      text: 'Your name and NPI never appear on a review. A stolen copy of our database would name no author, though it would show which reviews share one.',
    },
    {
      title: 'Practitioners only',
      note: 2,
      text: `This site is for healthcare practitioners only. Recruiters and employers can’t review. ${claim}`,
    },
    {
      title: 'Protected data',
      note: null,
      text: 'Names, email addresses, and NPIs are stored encrypted. There are no ads, and we sell no data.',
    },
  ];
  const footnotes = [
    'Anonymity cannot be guaranteed: what you write may identify you.',
    `Verification does not guarantee current licensure or status. ${footnote}`,
  ];
  return {
    lede: LEDE,
    definition: DEFINITION,
    categories: Object.values(CATEGORIES),
    samples: SAMPLE_REVIEWS,
    points,
    footnotes,
    verified: VERIFIED[mode],
    // Without a proof, there is no more to say.
    steps: mode === 'registry' ? [] : steps,
  };
}

const LEDE =
  'What it is really like to work at a hospital, residency, fellowship, or clinic, from doctors who’ve worked there. Find the best place to practice medicine, and help a colleague find theirs.';

const DEFINITION =
  'The informal, off-the-record advice that one doctor gives another, in a hallway or on the way to the car.';

const CATEGORIES: Record<CategoryRating, { title: string; text: string }> = {
  work_life_balance_rating: {
    title: 'Work-life balance',
    text: 'Schedule flexibility, time off, workload.',
  },
  mentorship_growth_rating: {
    title: 'Mentorship and growth',
    text: 'Who teaches, who opens doors, where colleagues went next.',
  },
  team_collaboration_rating: {
    title: 'Team collaboration',
    text: 'Whether nurses, consultants, and administrators pull together.',
  },
  compensation_benefits_rating: {
    title: 'Compensation and benefits',
    text: 'Pay against the local market, the bonus, the benefits.',
  },
  immigration_support_rating: {
    title: 'Immigration support',
    text: 'Visa sponsorship, legal help, relocation.',
  },
};

export interface SampleReview {
  id: number;
  rating: number;
  content: string;
  specialty: string;
  location: string;
  employer: string;
}

/** Example reviews. The employers and doctors are fictional, and the page says so. */
const SAMPLE_REVIEWS: readonly SampleReview[] = [
  {
    id: 1,
    rating: 5,
    content:
      'Seven on, seven off, and they mean it. Nobody calls on an off week. Census is capped at sixteen, and when we hit it the backup really comes in.',
    specialty: 'Hospital medicine',
    location: 'Duluth, MN',
    employer: 'Harrow Bay Medical Center',
  },
  {
    id: 2,
    rating: 3,
    content:
      'Teaching is superb and the attendings stay late to do it. The call schedule is written for a program twice our size, and by February it shows.',
    specialty: 'General surgery residency',
    location: 'Dayton, OH',
    employer: 'Wexcombe University Hospital',
  },
  {
    id: 3,
    rating: 4,
    content:
      'Legal had my H-1B petition out in three weeks and paid for premium processing without being asked. Base pay is average; the moving allowance is not.',
    specialty: 'Nephrology',
    location: 'Fresno, CA',
    employer: 'San Bricio Kidney Associates',
  },
  {
    id: 4,
    rating: 2,
    content:
      'Good nurses, good colleagues. But the productivity target rose twice in one year, and both times I learned of it from my pay stub.',
    specialty: 'Family medicine',
    location: 'Macon, GA',
    employer: 'Pell Creek Community Clinic',
  },
];

interface VerificationTexts {
  /** Follows "Recruiters and employers can’t review." */
  readonly claim: string;
  /** What signing up with someone else's NPI reveals. */
  readonly membership: string;
  /** Follows the footnote of docs/product.md, "Purpose". */
  readonly footnote: string;
  readonly steps: readonly { readonly title: string; readonly text: string }[];
}

const MATCH = {
  title: 'A public record',
  text: 'You sign up with your name and NPI. We compare them with the public NPI registry, which must list the NPI as active and you as a physician or trainee.',
};

/** What “verified” means, in one sentence. */
const VERIFIED: Readonly<Record<VerificationMode, string>> = {
  proof:
    'On this site, “verified” means that a name and NPI matched the public NPI registry, and that the account passed one more check.',
  registry:
    'On this site, “verified” means only that a name and NPI match the public NPI registry, which anyone can look up.',
  manual: 'On this site, “verified” means that an administrator approved the account.',
};

const TAKEN_LIKE_FREE = 'This is also true when someone signs up with your NPI.';

const NOT_CURRENT =
  'That the license is current, that the doctor worked at the employer, or that a review is accurate.';

/** What verification proves and what it does not, by mode. */
export const VERIFICATION_TEXTS: Readonly<Record<VerificationMode, VerificationTexts>> = {
  proof: {
    claim:
      'To post, a doctor must match public professional records and prove a link to the NPI’s owner.',
    membership: TAKEN_LIKE_FREE,
    footnote:
      'It means that a name and NPI matched the public registry and that the account passed one more check.',
    steps: [
      MATCH,
      {
        title: 'One proof',
        text: 'Anyone can look up a name and an NPI, so a match is not enough. You also enter a code from a letter to the practice address in the registry, or from an email to your address at a known hospital, medical school, or medical society. Or an administrator decides.',
      },
      {
        title: 'What “verified” proves',
        text: 'The name and NPI matched the registry. Someone with this account also received mail at the practice address or email at a known institution, or an administrator accepted other evidence.',
      },
      {
        title: 'What it does not prove',
        text: `${NOT_CURRENT} A person who opens a doctor’s mail, or who works at the same institution, could still pose as that doctor.`,
      },
    ],
  },
  registry: {
    claim:
      'Doctors who post are checked against public professional records. On this site, a match is enough.',
    membership:
      'On this site there is one exception: when someone signs up with your NPI, an unused NPI is verified within seconds, and one already in use waits.',
    footnote:
      'On this site it means only that a name and NPI match a public list. Anyone can look both up.',
    steps: [
      MATCH,
      {
        title: 'No further proof',
        text: 'This site is set up to stop at the match. Anyone can look up a doctor’s name and NPI in the public registry and enter them here.',
      },
      {
        title: 'What “verified” proves',
        text: 'Only that the name and NPI someone entered match a public list.',
      },
      {
        title: 'What it does not prove',
        text: `That the account belongs to that doctor, or to any doctor. ${NOT_CURRENT}`,
      },
    ],
  },
  manual: {
    claim:
      'Doctors who post are checked against public professional records, and an administrator approves each one.',
    membership: TAKEN_LIKE_FREE,
    footnote: 'It means that an administrator of this site approved the account.',
    steps: [
      {
        ...MATCH,
        text: 'You sign up with your name and NPI. We compare them with the public NPI registry and show the result to an administrator.',
      },
      {
        title: 'An administrator',
        text: 'Nobody is verified automatically. An administrator looks at each account and decides whether it may post.',
      },
      {
        title: 'What “verified” proves',
        text: 'An administrator of this site approved the account. Anyone can look up a name and an NPI, so it is only as strong as the evidence they asked for.',
      },
      { title: 'What it does not prove', text: NOT_CURRENT },
    ],
  },
};
