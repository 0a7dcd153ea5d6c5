/** Abbreviations in names of files that leave no doubt, with their dots. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['CTR', 'CENTER'],
  ['CNTR', 'CENTER'],
  ['HOSP', 'HOSPITAL'],
  ['HSPTL', 'HOSPITAL'],
  ['UNIV', 'UNIVERSITY'],
  ['HLTH', 'HEALTH'],
  ['HLTHCARE', 'HEALTHCARE'],
  ['REHAB', 'REHABILITATION'],
  ['MEM', 'MEMORIAL'],
  ['MEML', 'MEMORIAL'],
  ['RGNL', 'REGIONAL'],
  ['CMNTY', 'COMMUNITY'],
  ['PSYCH', 'PSYCHIATRIC'],
  ['SVCS', 'SERVICES'],
]);
/** Short for another word elsewhere, such as in 'MED ONE' and 'GEN V'. */
const BEFORE_A_KIND: ReadonlyMap<string, string> = new Map([
  ['MED', 'MEDICAL'],
  ['GEN', 'GENERAL'],
  ['COMM', 'COMMUNITY'],
  ['REG', 'REGIONAL'],
]);
const KIND = /^(?:CENTERS?|CTR|CNTR|HOSP|HOSPITALS?|HSPTL|MED|MEDICAL|HEALTH|HLTH)\b/i;

/**
 * A name in a file as people write it: 'BOSTON MED CTR CORP' is Boston Medical Center Corp, and
 * 'JOHNS HOPKINS HOSPITAL, THE' begins with 'The'. Its capitals are those of the file.
 */
export function readableName(name: string): string {
  const ordered = name.replace(/^(.+), (THE)$/i, '$2 $1');
  return ordered.replace(/(?<![\p{L}'&])(\p{L}+)\b\.?/gu, (given, word: string, at: number) => {
    const upper = word.toUpperCase();
    const isShort = KIND.test(ordered.slice(at + given.length).trimStart());
    const full = WORDS.get(upper) ?? (isShort ? BEFORE_A_KIND.get(upper) : undefined);
    if (full === undefined) return given;
    return word === upper ? full : `${full[0]}${full.slice(1).toLowerCase()}`;
  });
}
