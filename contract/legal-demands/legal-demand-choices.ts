import { DEMAND_DOCUMENT_BYTES, DEMAND_DOCUMENT_MB } from '../limits.ts';

/**
 * Names of legal demands for pages, commands, and the public record, and the checks of a demand's
 * document. No schemas, so that pages can import it.
 */

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

export const DOCUMENT_MESSAGES = {
  empty: 'The file is empty',
  tooLarge: `Must be at most ${DEMAND_DOCUMENT_MB} MB`,
  fileKind: 'Must be a PDF, PNG, or JPEG file',
} as const;

/** The document of a demand: its kinds, how each begins, and the name under which it is downloaded. */
const DOCUMENT_KINDS = [
  // '%PDF-' (ISO 32000-1, section 7.5.2)
  { type: 'application/pdf', name: 'legal-demand.pdf', start: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  // PNG, section 5.2
  {
    type: 'image/png',
    name: 'legal-demand.png',
    start: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  },
  // The first two markers (ISO/IEC 10918-1, annex B)
  { type: 'image/jpeg', name: 'legal-demand.jpg', start: [0xff, 0xd8, 0xff] },
] as const;

/** The kind of a document by its first bytes, whatever its name says. */
export const documentKind = (bytes: Uint8Array) =>
  DOCUMENT_KINDS.find(({ start }) => start.every((byte, at) => bytes[at] === byte));

/** Why a file cannot be the document of a demand; null if it can. */
export async function documentRefusal(file: Blob): Promise<string | null> {
  if (file.size === 0) return DOCUMENT_MESSAGES.empty;
  if (file.size > DEMAND_DOCUMENT_BYTES) return DOCUMENT_MESSAGES.tooLarge;
  const start = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  return documentKind(start) ? null : DOCUMENT_MESSAGES.fileKind;
}
