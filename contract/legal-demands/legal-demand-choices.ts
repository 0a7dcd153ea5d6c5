/** Names of legal demands for pages, commands, and the public record. No schemas, for pages. */
export const DEMAND_KINDS = {
  subpoena: 'Subpoena',
  court_order: 'Court order',
  search_warrant: 'Search warrant',
  preservation_request: 'Preservation request',
  informal_request: 'Request without a court',
  defamation_notice: 'Defamation notice',
  copyright_notice: 'Copyright notice',
  other: 'Other demand',
} as const;
export type DemandKind = keyof typeof DEMAND_KINDS;
export const DEMAND_KIND_KEYS = Object.keys(DEMAND_KINDS) as [DemandKind, ...DemandKind[]];

/** How a demand ended. Until then, it is pending. */
export const DEMAND_OUTCOMES = {
  unable: 'Nothing handed over, because we cannot',
  rejected: 'Nothing handed over, because the demand was not valid',
  contested: 'Contested',
  complied_in_part: 'Complied in part',
  complied: 'Complied',
  withdrawn: 'Withdrawn',
} as const;
export type DemandOutcome = keyof typeof DEMAND_OUTCOMES;
export const DEMAND_OUTCOME_KEYS = Object.keys(DEMAND_OUTCOMES) as [
  DemandOutcome,
  ...DemandOutcome[],
];

/** The outcome after which the demand still waits for a final one. */
export const OPEN_OUTCOME: DemandOutcome = 'contested';

export const DEMAND_MESSAGES = {
  kind: 'Please choose a kind',
  receivedOn: 'Please enter the day on which it arrived',
  future: 'The day must not be in the future',
  dueOn: 'Please enter the day by which it must be answered',
  review: 'There is no such review',
  outcome: 'Please choose an outcome',
  note: 'Please write a note for the log',
} as const;
