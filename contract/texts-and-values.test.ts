import { expect, test } from 'vitest';
import { EMPLOYER_ORDERINGS, EMPLOYER_TYPES, TRAUMA_LEVELS } from './employers/employer-choices.ts';
import { Employer, EmployerFilterOptions, EmployerQuery } from './employers/employers.ts';
import * as limits from './limits.ts';
import { CATEGORY_RATINGS, REVIEW_FILTER_CHOICES, REVIEW_ORDERINGS } from './review-choices.ts';
import { ReviewFilterOptions, ReviewQuery } from './reviews/review-queries.ts';
import { PositionTitle, Review, ReviewRequest } from './reviews/reviews.ts';
import { Doctor } from './verification/doctors.ts';

/** Stated in full, so that a change of what clients and readers know shows up in review. */
const CHOICES: [inCode: object, expected: string][] = [
  [
    CATEGORY_RATINGS,
    'work_life_balance_rating Work-life balance, mentorship_growth_rating Mentorship & growth, team_collaboration_rating Team collaboration, compensation_benefits_rating Compensation & benefits, immigration_support_rating Immigration support',
  ],
  [
    REVIEW_ORDERINGS,
    '-created_at Most recent, created_at Oldest first, -overall_rating Highest rated, overall_rating Lowest rated, -helpful Most helpful',
  ],
  [
    EMPLOYER_ORDERINGS,
    'name Name A-Z, -name Name Z-A, -bed_count Most Beds, bed_count Fewest Beds, -overall_rating Highest Rated, -total_reviews Most Reviews, -created_at Recently Added, -established Best established',
  ],
  [
    EMPLOYER_TYPES,
    'hospital Hospital, residency Residency, fellowship Fellowship, clinic Clinic, others Others',
  ],
  [TRAUMA_LEVELS, '0 Level I, 1 Level II, 2 Level III, 3 Level IV, 4 Level V'],
];

test.each(CHOICES)('the choices of %j, in order', (inCode, expected) => {
  const entries = Object.entries(inCode).map((entry) => entry.join(' '));
  expect(entries.join(', ')).toBe(expected);
});

test('the choices of the review filters', () => {
  const choices = Object.values(REVIEW_FILTER_CHOICES).map((options) =>
    options.map(({ value, label }) => `${value} ${label}`),
  );
  expect(choices).toEqual([
    ['4 4+ stars', '3 3+ stars', '2 2+ stars', '1 1+ stars'],
    ['3 Up to 3 stars', '2 Up to 2 stars', '1 1 star'],
    ['true Recommended', 'false Not recommended'],
    ['true Current employees', 'false Former employees'],
  ]);
});

const RATINGS = `overall_rating ${Object.keys(CATEGORY_RATINGS).join(' ')}`;
const AVERAGES = RATINGS.replaceAll(' ', ' avg_');
const WRITTEN = `${RATINGS} review_text pros cons position_title start_year end_year is_current_employee would_recommend`;
const FIELDS: Record<string, [schema: { shape: object }, fields: string]> = {
  Doctor: [Doctor, 'user npi created_at verified can_post_reviews'],
  Review: [
    Review,
    `id employer created_at ${WRITTEN} overall_experience specialty employment_duration`,
  ],
  ReviewRequest: [ReviewRequest.def.out, `employer is_custom_employer ${WRITTEN}`],
  PositionTitle: [PositionTitle, 'id title'],
  Employer: [
    Employer,
    `id name city state employer_type employer_type_display ownership_type bed_count trauma_level has_helipad phone specialty total_reviews created_at hospital_status ${AVERAGES}`,
  ],
  ReviewFilterOptions: [
    ReviewFilterOptions,
    'position_titles states cities rating_options recommendation_options employment_status_options total_reviews',
  ],
  EmployerFilterOptions: [
    EmployerFilterOptions,
    'total_employers states employer_types ownership_types trauma_levels',
  ],
  ReviewQuery: [
    ReviewQuery,
    'page ordering search position_title state city min_rating would_recommend is_current_employee',
  ],
  EmployerQuery: [
    EmployerQuery,
    'page page_size search state employer_type ownership_type trauma_level hospital_status has_helipad min_beds max_beds min_staff max_staff hospitals_only ordering',
  ],
};

test.each(Object.entries(FIELDS))('the fields of %s', (_, [{ shape }, fields]) => {
  expect(Object.keys(shape)).toEqual(expect.arrayContaining(fields.split(' ')));
});

test('the constants', () => {
  expect(limits).toMatchObject({
    ...{ CLIENT_VERSION: '1.0.0', FOOTER_YEAR: 2025, LEGAL_EFFECTIVE_DATE: 'August 12, 2025' },
    ...{ API_TIMEOUT_MS: 30_000, CSRF_TIMEOUT_MS: 5000, PRIVACY_ANSWER_DAYS: 45 },
    ...{ REFRESH_LEAD_MS: 120_000, REFRESH_MIN_DELAY_MS: 5000 },
    ...{ PASSWORD_MIN: 8, NPI_DIGITS: 10, NPI_MASK: '****', NPI_VISIBLE_DIGITS: 4, OTP_DIGITS: 6 },
    ...{ RESET_TTL_MS: 86_400_000, RESET_MAILS_PER_HOUR: 3, RESET_REDIRECT_MS: 2000 },
    ...{ RATING_MIN: 1, RATING_MAX: 5, YEAR_CHOICES: 30, PAGE_SIZE: 20, PAGE_BUTTONS: 5 },
    ...{ DASHBOARD_PAGE_SIZE: 5, DASHBOARD_LOAD_MORE_DELAY_MS: 500 },
    ...{ OPTION_SEARCH_DEBOUNCE_MS: 300, REVIEWS_FETCH_DEBOUNCE_MS: 300 },
    ...{ REVIEWS_SKELETON_AFTER_MS: 150, REVIEWS_URL_SYNC_MS: 100 },
    ...{ DIRECTORY_SEARCH_DEBOUNCE_MS: 500, RESIZE_DEBOUNCE_MS: 150, SCROLL_REPEAT_MS: 100 },
    ...{ CAROUSEL_INTERVAL_MS: 5000, SWIPE_THRESHOLD_PX: 50 },
  });
});
