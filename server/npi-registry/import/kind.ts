import { OperatorError } from '#server/operator-error.ts';

/** A full file replaces the registry; an update replaces only the numbers in it. */
export type FileKind = 'full' | 'update';

export interface Coverage {
  readonly kind: FileKind;
  /** The days that the file covers; null if its name does not say. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Full files begin on the day when the first NPIs were issued. */
const FIRST_DAY = '2005-05-23';

/**
 * Reads what a file covers from its name, as CMS forms it: `npidata_pfile_20050523-20261108.csv` is
 * full, `npidata_pfile_20261109-20261115.csv` an update.
 * @throws OperatorError if neither the name nor `kind` tells
 */
export function coverageOf(name: string, kind?: FileKind): Coverage {
  const [, start, end] = /^npidata_pfile_(\d{8})-(\d{8})\.csv$/i.exec(name) ?? [];
  const [from, to] = [toIso(start), toIso(end)];
  if (kind) return { kind, from, to };
  if (from && to) return { kind: from === FIRST_DAY ? 'full' : 'update', from, to };
  throw new OperatorError(
    `${name} is not named npidata_pfile_FROM-TO.csv: add --full, or --update for a weekly file`,
  );
}

function toIso(digits: string | undefined): string | null {
  return digits?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3') ?? null;
}
