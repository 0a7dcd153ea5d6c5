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
