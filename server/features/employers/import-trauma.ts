import type { TRAUMA_LEVELS } from '#contract/employer-choices.ts';

type TraumaLevel = (typeof TRAUMA_LEVELS)[number];

const ADULT = /^LEVEL (I|II|III|IV|V)(?: ADULT)?$/;
const RANKED: readonly string[] = ['I', 'II', 'III', 'IV', 'V'];

/**
 * The best adult trauma level that the file's TRAUMA names, in any of its 31 spellings.
 *
 * The text is a list, parted by commas or a slash. An entry counts when it is a level alone or a
 * level of adults; the best (lowest) of these is taken. Everything else is no adult level: a level
 * of children (`LEVEL I PEDIATRIC`) or of rehabilitation (`LEVEL II REHAB`), and a state's own
 * designation that names no level (`TRH`, `TRF`, `CTH`, `ATH`, `RTC`, `RTH`, `PARC`, `REGIONAL`,
 * `PEDIATRIC`, or `I-RPTC`, a regional pediatric trauma center).
 */
export function adultTraumaLevel(text: string): TraumaLevel | null {
  const ranks = text
    .toUpperCase()
    .split(/[,/]/)
    .flatMap((entry) => ADULT.exec(entry.trim())?.[1] ?? [])
    .map((numeral) => RANKED.indexOf(numeral));
  return ranks.length === 0 ? null : (`Level ${RANKED[Math.min(...ranks)]}` as TraumaLevel);
}
