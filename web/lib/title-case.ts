/** Kept in capitals (specification, section 2, "Employer detail"). */
const ACRONYMS = new Set(
  (
    'ICU ER ED OR MD DO RN NP PA PHD DDS DMD MBA MPH FACP OBGYN OB GYN ENT PMR GI EMS PCP NYC USA US UK ' +
    'VA VAMC VHA DVA NIH CDC NHS HHS IHS ' +
    'HCA UPMC UCLA UCSF UCSD UCI UC USC NYU NYP UNC UAB UAMS UTMB UTMC UT UTSW UVA UVM UMC UMASS UH UHS UW MUSC ' +
    'OHSU OSU OU LSU LSUHSC SUNY CUNY MGH BWH BIDMC CHOP CHLA CHI CHS CMC DMC EMC RWJ RWJBH MD LLC LLP PLLC ' +
    'INC LTAC LTACH SNF NICU PICU CCU MICU SICU PACU AMC BMC SSM ECU VCU IU KU MCG GW HSS MSK MSKCC BJC JFK TMC WVU ' +
    'ICF IRF FQHC HMO II III IV VI VII'
  ).split(' '),
);

/** Written with capitals only at the start of a name. */
const SMALL_WORDS = new Set(['a', 'an', 'and', 'at', 'by', 'de', 'for', 'in', 'of', 'on', 'the']);

/** Abbreviations with letters that are not all capitals. */
const SPELLED: Record<string, string> = { INC: 'Inc', UMASS: 'UMass', PHD: 'PhD' };

/** 'ST. MARY'S ICU OF NYC' -> 'St. Mary's ICU of NYC'. */
export function titleCase(text: string): string {
  let isFirst = true;
  return text.replace(/[\p{L}\p{Nd}]+(?:['’]\p{L}+)*/gu, (word) => {
    const cased = caseWord(word, isFirst);
    isFirst = false;
    return cased;
  });
}

function caseWord(word: string, isFirst: boolean): string {
  const upper = word.toUpperCase();
  const lower = word.toLowerCase();
  if (SMALL_WORDS.has(lower)) return isFirst ? capitalize(lower) : lower;
  if (ACRONYMS.has(upper)) return SPELLED[upper] ?? upper;
  // A name that is written with care, such as 'McLean', keeps its capitals.
  if (word !== upper && word !== lower) return word;
  const prefixed = /^(o['’]|mc(?=\p{L}{3}))(.+)$/u.exec(lower);
  if (prefixed?.[1] && prefixed[2]) return capitalize(prefixed[1]) + capitalize(prefixed[2]);
  return capitalize(lower);
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
