/**
 * What physicians write about, as filters of an employer's reviews. The database matches them by
 * the words in `concern_vocabulary` (server/db/migrations/0005-reviews.sql). No schemas, so that
 * lists load without zod.
 */
export const CONCERNS = {
  autonomy: 'Autonomy',
  backup: 'Backup',
  benefits: 'Benefits',
  boarding: 'Boarding',
  burnout: 'Burnout',
  call: 'Call',
  charting: 'Charting',
  contract: 'Contract',
  culture: 'Culture',
  leadership: 'Leadership',
  mentorship: 'Mentorship',
  nursing: 'Nursing',
  pay: 'Pay',
  research: 'Research',
  safety: 'Safety',
  schedule: 'Schedule',
  staffing: 'Staffing',
  teaching: 'Teaching',
  turnover: 'Turnover',
  visa: 'Visa',
  workload: 'Workload',
} as const;
export type Concern = keyof typeof CONCERNS;
export const CONCERN_KEYS = Object.keys(CONCERNS) as [Concern, ...Concern[]];

/** The parts of a review, which can be asked for: `cons-call`. Nobody guesses whether it is praise. */
export const CONCERN_PARTS = ['pros', 'cons', 'summary'] as const;
export type ConcernPart = (typeof CONCERN_PARTS)[number];
export type ConcernFilter = Concern | `${ConcernPart}-${Concern}`;
export const CONCERN_FILTERS = [
  ...CONCERN_KEYS,
  ...CONCERN_PARTS.flatMap((part) => CONCERN_KEYS.map((concern) => `${part}-${concern}` as const)),
] as [ConcernFilter, ...ConcernFilter[]];

/** 'Call', or 'Call in cons'. */
export function concernLabel(filter: string): string {
  const [concern = '', part] = filter.split('-').reverse();
  const label = CONCERNS[concern as Concern] ?? concern;
  return part ? `${label} in ${part}` : label;
}
