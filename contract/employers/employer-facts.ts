import * as z from 'zod/mini';
import { parseUrl } from '../api-path.ts';
import { atMost, oneLine, required } from '../fields.ts';
import { CHOICE_MAX, EMPLOYER_FACT_MAX } from '../limits.ts';
import {
  BOUND_MAX,
  BOUND_MESSAGES,
  EMPLOYER_TYPE_KEYS,
  HOSPITAL_STATUSES,
  TRAUMA_LEVELS,
} from './employer-choices.ts';
import { EMPLOYER_FACTS } from './employer-sources.ts';
import { EmployerName } from './employers.ts';
import { isState, STATE_MESSAGE } from './states.ts';

export type EmployerFact = keyof typeof EMPLOYER_FACTS;
export const EMPLOYER_FACT_KEYS = Object.keys(EMPLOYER_FACTS) as [EmployerFact, ...EmployerFact[]];

export const isZip = (text: string): boolean => /^\d{5}(-\d{4})?$/.test(text);

/** `(334) 555-0100`, or null if it is not a North American number. */
export function formatPhone(text: string): string | null {
  const digits = text.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  const parts = digits.match(/^(\d{3})(\d{3})(\d{4})$/);
  return parts ? `(${parts[1]}) ${parts[2]}-${parts[3]}` : null;
}

/** Whether it is safe to link to and has a real host name. */
export function isWebsite(text: string): boolean {
  if (!/^https?:\/\/[^\s"'<>\\]+$/i.test(text)) return false;
  const url = parseUrl(text);
  return url?.username === '' && url.password === '' && url.hostname.includes('.');
}

const line = (max: number) => required('Please enter a value').check(atMost(max), oneLine);
const count = z.nullable(
  z
    .int(BOUND_MESSAGES.number)
    .check(z.minimum(0, BOUND_MESSAGES.number), z.maximum(BOUND_MAX, BOUND_MESSAGES.number)),
);

/** The values of facts. Null: not known. */
export const EmployerFacts = z.strictObject({
  name: EmployerName,
  employer_type: z.enum(EMPLOYER_TYPE_KEYS, 'Unknown employer type'),
  address: z.nullable(line(EMPLOYER_FACT_MAX)),
  city: z.nullable(line(CHOICE_MAX)),
  state: z.nullable(line(2).check(z.toUpperCase(), z.refine(isState, STATE_MESSAGE))),
  zip: z.nullable(line(10).check(z.refine(isZip, 'Must be five digits, or five and four'))),
  phone: z.nullable(
    line(CHOICE_MAX).check(
      z.refine((text) => formatPhone(text) !== null, 'Must be a phone number with ten digits'),
      z.overwrite((text) => formatPhone(text) ?? text),
    ),
  ),
  website: z.nullable(
    line(EMPLOYER_FACT_MAX).check(z.refine(isWebsite, 'Must be a web address with https://')),
  ),
  specialty: z.nullable(line(CHOICE_MAX)),
  ownership_type: line(CHOICE_MAX),
  bed_count: count,
  staff_count: count,
  trauma_level: z.nullable(z.enum(TRAUMA_LEVELS, 'Unknown trauma level')),
  has_helipad: z.nullable(z.boolean('Must be yes or no')),
  hospital_status: z.nullable(z.enum(HOSPITAL_STATUSES, 'Unknown hospital status')),
});
export type EmployerFacts = z.infer<typeof EmployerFacts>;
/** Some facts with new values. */
export type FactChange = { [Fact in EmployerFact]?: EmployerFacts[Fact] | undefined };
export type FactValue = EmployerFacts[EmployerFact];

/** Converts a form's text to the value of a fact. An empty field means not known. */
export function readFact(fact: EmployerFact, text: string): FactValue {
  const typed = text.trim();
  if (typed === '') return null;
  if (fact === 'has_helipad') return typed === 'true';
  if (fact === 'bed_count' || fact === 'staff_count') return Number(typed);
  return typed;
}
