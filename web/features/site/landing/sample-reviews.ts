export interface SampleReview {
  id: number;
  rating: number;
  content: string;
  specialty: string;
  location: string;
  employer: string;
}

/**
 * Example reviews. The employers and doctors are fictional, and the page says so. Only the loader
 * reads them.
 */
export const SAMPLE_REVIEWS: readonly SampleReview[] = [
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
