import type { PersonName } from '#contract/person-names.ts';
import type { VerificationChecks } from '#contract/verification/doctors.ts';
import type { Refusal } from '#contract/verification/proof-requests.ts';
import type { Proof } from '#contract/verification/verification.ts';

/** A registry's answer about a number. */
export type RegistryAnswer =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'deactivated' }
  | { readonly kind: 'organization'; readonly active: boolean }
  | {
      readonly kind: 'person';
      readonly active: boolean;
      /** The current name first, then former and other names. */
      readonly names: readonly PersonName[];
      /** Codes of the NUCC Health Care Provider Taxonomy. */
      readonly taxonomies: readonly string[];
      /** The practice address; null if it is not a complete US address. */
      readonly practice: PostalAddress | null;
    };

export interface NpiRegistry {
  /** Throws RegistryUnavailable if there is no usable answer. */
  lookUp(npi: string): Promise<RegistryAnswer>;
}

/** No usable response: try again later. It says nothing about the NPI. */
export class RegistryUnavailable extends Error {
  constructor(reason: string) {
    super(`NPI registry: ${reason}`);
    this.name = 'RegistryUnavailable';
  }
}

/** A US address for a letter. */
export interface PostalAddress {
  /** Street lines, at least one. */
  readonly lines: readonly string[];
  readonly city: string;
  /** Two capital letters. */
  readonly state: string;
  /** `12345` or `12345-6789`. */
  readonly postal_code: string;
}

/** An address as returned by a registry. */
interface RegistryAddress {
  readonly lines: readonly (string | null | undefined)[];
  readonly city: string | null | undefined;
  readonly state: string | null | undefined;
  readonly postalCode: string | null | undefined;
  readonly country: string | null | undefined;
}

/** Null if the address is foreign or incomplete. */
export function toPostalAddress(address: RegistryAddress): PostalAddress | null {
  const lines = address.lines.map(plain).filter((line) => line !== '');
  const city = plain(address.city);
  const state = plain(address.state).toUpperCase();
  const postal_code = toPostalCode(plain(address.postalCode));
  const isComplete = lines.length > 0 && city !== '' && /^[A-Z]{2}$/.test(state) && postal_code;
  return plain(address.country) === 'US' && isComplete ? { lines, city, state, postal_code } : null;
}

function plain(text: string | null | undefined): string {
  return (text ?? '').replace(/[\p{Cc}\s]+/gu, ' ').trim();
}

/** NPPES writes nine digits without a hyphen, and zeros for unknown last four digits. */
function toPostalCode(text: string): string | null {
  const [, five, four] = /^(\d{5})-?(\d{4})?$/.exec(text) ?? [];
  if (!five) return null;
  return four === undefined || four === '0000' ? five : `${five}-${four}`;
}

export type Profession = 'physician' | 'oral-surgeon' | 'trainee' | 'other';

/** Mostly dentists, some with a medical degree. An administrator decides. */
const ORAL_SURGEON = '204E00000X';

/** Students of every health profession, including residents. */
const TRAINEE = '390200000X';

/** What the NUCC calls allopathic and osteopathic physicians. */
const PHYSICIAN = /^(?:20[2478][0-9A-Z]{6}X|209800000X)$/;

/**
 * The profession for codes of the NUCC Health Care Provider Taxonomy. One physician code is enough,
 * regardless of the other codes.
 */
export function professionOf(codes: readonly string[]): Profession {
  if (codes.some((code) => PHYSICIAN.test(code) && code !== ORAL_SURGEON)) return 'physician';
  if (codes.includes(ORAL_SURGEON)) return 'oral-surgeon';
  return codes.includes(TRAINEE) ? 'trainee' : 'other';
}

/** The evidence for a verification. Sealed with the identity. Compared values are not kept. */
export interface Evidence {
  readonly checks: VerificationChecks;
  /** The day of the registry's answer, `YYYY-MM-DD`. */
  readonly checked_on: string | null;
  /** The registry's name, if the account's name differs. */
  readonly registry_name?: { readonly first_name: string; readonly last_name: string };
  /** The NPI belongs to a trainee. */
  readonly in_training: boolean;
  readonly proofs: readonly Proof[];
  /** The mailbox came after its domain's quota. It counts only with an administrator. */
  readonly is_over_quota?: boolean;
  /** One of the mailboxes belonged to a residency program. */
  readonly is_resident: boolean;
  /**
   * How the account was verified: `proof` by a letter or an administrator. Null once another account
   * has proven its NPI.
   */
  readonly held_by: 'match' | 'mailbox' | 'proof' | null;
  /** An administrator revoked the verification and has not restored it. */
  readonly is_refused: boolean;
  /** What the doctor is told about that. */
  readonly refusal?: { readonly reason: Refusal; readonly decided_on: string };
}

export const NO_EVIDENCE: Evidence = {
  checks: { known: null, active: null, individual: null, physician: null, name_matches: null },
  checked_on: null,
  in_training: false,
  proofs: [],
  is_resident: false,
  held_by: null,
  is_refused: false,
};

/** The proofs that count by themselves. */
export const countedProofs = ({ proofs, is_over_quota }: Evidence): readonly Proof[] =>
  proofs.filter(({ kind }) => kind !== 'mailbox' || !is_over_quota);

/**
 * How well an account has proven its NPI. Whoever runs a mail domain has all its mailboxes, so a
 * mailbox is weak.
 */
export type Strength = 'strong' | 'weak';

export const strengthOf = ({ held_by, proofs }: Evidence): Strength =>
  held_by === 'proof' || proofs.some(({ kind }) => kind !== 'mailbox') ? 'strong' : 'weak';
