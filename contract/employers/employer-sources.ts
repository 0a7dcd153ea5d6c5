/**
 * The names of an employer's facts, and of the files that have them. No schemas, so that pages load
 * without zod.
 */

/** The facts of an employer that can be corrected, in display order. */
export const EMPLOYER_FACTS = {
  name: 'Name',
  employer_type: 'Type',
  address: 'Street',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
  phone: 'Phone',
  website: 'Website',
  specialty: 'Specialty',
  ownership_type: 'Ownership',
  bed_count: 'Beds',
  staff_count: 'Staff',
  trauma_level: 'Trauma level',
  has_helipad: 'Helipad',
  hospital_status: 'Status',
} as const;
/** Files that employers are imported from, in the order in which their facts count. */
export const EMPLOYER_SOURCES = {
  cms: 'CMS Hospital General Information',
  cost_report: 'CMS Hospital Cost Report',
  pos: 'CMS Provider of Services',
  hifld: 'HIFLD hospitals',
} as const;
export type EmployerSource = keyof typeof EMPLOYER_SOURCES;
