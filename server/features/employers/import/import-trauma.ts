import type { TRAUMA_LEVELS } from '#contract/employer-choices.ts';

type TraumaLevel = (typeof TRAUMA_LEVELS)[number];

const ADULT = /^LEVEL (I|II|III|IV|V)(?: ADULT)?$/;
const RANKED: readonly string[] = ['I', 'II', 'III', 'IV', 'V'];

/**
 * The best adult trauma level in the file's TRAUMA column, which has 31 spellings. It is a list,
 * separated by commas or slashes. Only plain or adult levels count, and the best (lowest) one is
 * taken. Ignored are levels for children (`LEVEL I PEDIATRIC`) or rehabilitation (`LEVEL II
 * REHAB`), and state designations without a level (`TRH`, `TRF`, `CTH`, `ATH`, `RTC`, `RTH`,
 * `PARC`, `REGIONAL`, `PEDIATRIC`, or `I-RPTC`, a regional pediatric trauma center).
 */
export function adultTraumaLevel(text: string): TraumaLevel | null {
  const ranks = text
    .toUpperCase()
    .split(/[,/]/)
    .flatMap((entry) => ADULT.exec(entry.trim())?.[1] ?? [])
    .map((numeral) => RANKED.indexOf(numeral));
  return ranks.length === 0 ? null : (`Level ${RANKED[Math.min(...ranks)]}` as TraumaLevel);
}
