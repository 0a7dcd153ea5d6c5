import * as z from 'zod/mini';
import { parseUrl } from '../api-path.ts';
import { atMost, DecisionReason, oneLine, required } from '../fields.ts';
import { CORRECTION_SOURCE_MAX } from '../limits.ts';
import { EMPLOYER_FACT_KEYS, EmployerFacts } from './employer-facts.ts';

export const CORRECTION_SENT = 'Thank you. A curator will look at it.';

/** Whether a source is a URL rather than text. */
export const isAddress = (source: string): boolean => /^[a-z]+:\/\//i.test(source);

const source = required('Please say how you know').check(
  atMost(CORRECTION_SOURCE_MAX),
  oneLine,
  z.refine(
    (text) => !isAddress(text) || parseUrl(text)?.protocol === 'https:',
    'Must be an address with https://, or a text',
  ),
);

const [name, ...others] = EMPLOYER_FACT_KEYS;
const proposalOf = (field: (typeof EMPLOYER_FACT_KEYS)[number]) =>
  z.strictObject({ field: z.literal(field), value: EmployerFacts.shape[field], source });

/** `POST /employers/{id}/corrections/`: another value of one fact. */
export const CorrectionRequest = z.discriminatedUnion(
  'field',
  [proposalOf(name), ...others.map(proposalOf)],
  { error: 'Please choose what to correct' },
);
export type CorrectionRequest = z.infer<typeof CorrectionRequest>;

/** The value of any fact. */
const factValue = (message?: string) =>
  z.union([z.string(), z.number(), z.boolean(), z.null()], message);

/** A correction that waits for a decision. The proposer is not stored. */
export const Correction = z.strictObject({
  field: z.enum(EMPLOYER_FACT_KEYS),
  value: factValue(),
  source: z.string(),
});
export type Correction = z.infer<typeof Correction>;

/**
 * `POST /admin/employers/{id}/corrections/{decision}/`. Decides nothing if the proposed or the
 * current value has changed since the curator read it (`changed_meanwhile`).
 */
export const CorrectionDecisionRequest = z.strictObject({
  field: z.enum(EMPLOYER_FACT_KEYS),
  value: factValue('Please name the proposed value'),
  /** The current value on the employer's page. */
  today: factValue('Please name the value of today'),
  reason: DecisionReason,
  case_id: z.optional(z.uuid()),
});
export type CorrectionDecisionRequest = z.infer<typeof CorrectionDecisionRequest>;

/** What can be decided about a correction, in display order. */
export const CORRECTION_DECISIONS = ['accept', 'refuse'] as const;
export type CorrectionDecision = (typeof CORRECTION_DECISIONS)[number];
