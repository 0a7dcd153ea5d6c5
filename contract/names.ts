/** Words with special capitalization in title case (contract/names.ts). */

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Always in capitals: care and its places, degrees, government, companies, systems, states. */
const ABBREVIATIONS = words(`
  ADHD AI AIDS APH BH CAH CCU CDRH CVICU ECMO ED EEG EM EMS ENT EP ER FQHC GI GU GYN HBO HCC HIV HMO
  ICF ICU ID IM IR IRF LGBTQ LTAC LTACH LTCU MFM MH MICU MRI MSK NF NICU NSG OB OBG OBGYN OT PACU
  PCP PHF PICU PM PMR PRN PT REI RMC SICU SNF STAT TB TMS UC
  APP APRN ARNP CEO CFO CIO CMIO CMO CNM COO CRNA DDS DMD DNP DO DPM FACEP FACP FACS GME IMG LCSW LPN
  MBA MBBS MD MHA MPH MS MSW NP PA PGY RN VP
  AFB CAVHCS CDC CMS DHEW DHHS DVA FEMA HHS HRSA IHS NAIHS NASA NIH PHS SAMHSA STVHCS US USA USAF
  USCGA USN USPHS VA VAMC VHA
  APC APMC LLC LLP LP PC PLC PLLC
  AAA AAPHC ABC ABS ABSMC ACHS ACMH ACS ACV ADATC AHC AHF AHL AHMC AHN AHRC AHS AICS AJ AMC AMCHC
  AMG AMITA ANMC APLA ARH ARMC ASEM ASU ATCIC AU BAMC BCA BEMC BHA BHC BIDMC BILH BIR BJC BMC BSA
  BSMA BSW BVCAA BWH CAA CABUN CAMC CCM CES CGH CHA CHCI CHCO CHI CHKD CHLA CHOC CHOP CHRISTUS CHS
  CHSLI CIHA CIMA CJW CMC CNY COFMC CPACS CSI CUNY DCH DLP DMC DTLA EAFHC EAMC EC ECC ECFH ECU ELADH
  EMH EMHFL EMHS EOGH FHN GPHA GW HACS HAH HASC HAWC HBA HCA HCI HIMA HMA HMC HSHS HSS HUMC IC ICHS
  ICL ICN IFC IHC IJKG IMC INTEGRIS IPA IPT ISD IU JCHA JFK JPS KHEIR KHIS KMI KPC KU LAC LBA LBJ
  LDS LECOM LIJ LINCS LISH LLU LLUMC LPDS LSU LSUHSC LVH LVHN MACT MCG MCHS MEHOP MGH MIMCA MMO MPI
  MSKCC MSU MUSC MVA NARA NCBH NCH NEA NECC NEOH NEPA NEVHC NMC NMMC NWA NYC NYP NYU OCH ODA ODS
  OHRH OHSU OIC OIHN OKC OLH OPRMC OSF OSS OSU OU PAM PCA PIH PMA PSI PSLMC PYC RHI RMH RML RUMC
  RVII RWJ RWJBH SBH SCI SCL SEH SEK SGMC SIHF SIU SJRH SLU SMMA SOS SSM SUNY SWLA TAMU TAPM TCA THI
  TIRR TLC TMC TMCA TPAN TRMC TTUHSC UAB UAMS UBH UCF UCH UCHC UCI UCLA UCSD UCSF UF UGH UGL UH UHHS
  UHS UI UIC UK UKHS UM UMC UMCRH UMD UMMA UMMC UNC UNHS UNM UPHS UPMC UPR URMC USC USD USF USMD UT
  UTHSC UTMB UTMC UTSW UVA UVM UW VCU VNA VNACJ VOA WCA WCOE WK WVU WVUH YHEP YK YMCA YNHS YRMC YWCA
  AR AZ DC FL GA IL KS KY MN MO NC ND NE NH NJ NM NV NW NY OH OK PR SC SD SE SW TN TX VT WI WV WY
`);

/** Spellings of brands, and other customary spellings. */
const SPELLED = words(`
  AdventHealth AllianceHealth AnMed AtlantiCare BayCare BronxCare CalvertHealth CareOne CarePartners
  CarePlex CarePoint CentraCare ContinueCare CoxHealth DeBakey DeGraff DeKalb DeLand DePaul DePoo
  DeQuincy DeRidder DeSmet DeSoto DeTar DeWitt DuBois DuPage EvergreenHealth FirstHealth
  HealthAlliance HealthBridge HealthEast HealthPark HealthPartners HealthPlex HealthSource HealthSouth HealthWest
  HonorHealth IntraCare LaFollette LaGrange LaPorte LaRue LaSalle LifeBridge LifeCare MacArthur
  MacNeal MarinHealth MedCentral MedStar MemorialCare MercyCare MercyOne MetroHealth MetroSouth MetroWest MountainView
  MultiCare NorthBay NorthCrest NorthShore OakBend OhioHealth OpCo OrthoColorado OrthoIndy PeaceHealth
  PinnacleHealth PrairieCare ProHealth ProMedica SageCrest SoutheastHEALTH StoneCrest ThedaCare
  TidalHealth TriCities TriHealth TriPoint TriStar TrustPoint UCHealth UChicago UConn UHealth UMass
  UnityPoint UofL UTHealth ValleyCare ViewPoint WakeMed WellSpan WellStar
  dba Inc Jr Ltd O'odham PharmD PhD PsyD Sr
`);
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  [...SPELLED].map((spelling) => [spelling.toUpperCase(), spelling]),
);

/** Phrases whose words would otherwise be misread. */
const PHRASES: readonly string[] = [
  'CAO of Scioto',
  'Ed Fraser',
  'Fond du Lac',
  'KIPP Indy',
  'KIPP School',
  'Lac du Flambeau',
  'Lac qui Parle',
  'Northern Nevada HOPES',
  'SAC Health',
  'UP Health System',
];

/** Lower case, except at the start of a name and after a dash. */
const SMALL_WORDS = words('a an and at by de del du for from in of on or the to with y');

/** Lower case only after 'de': 'de la Concepcion', but 'La Jolla'. */
const SMALL_AFTER_DE = words('la las los');

/** Abbreviations without a vowel that are not initials. */
const SHORT_FORMS = words(`
  BLDG BLVD CLNC CLNTN CMP CNTR CNTRL CT CTR DPT DR FMLY FND FT GRP HGHTS HGTS HLT HLTH HLTHCR HSP HSPTL HTS
  HWY JR LN MNTH MPLS MR MRS MT MTL MTN PKWY PL PLZ PSYCH RD RVR SGT SPGS SPRG SQ SR SRVCS ST STR SV
  SVC SVCS SYS SYST SYSTM TWNSHP TWP VLG VLLY WKFLD WM WSTN
`);

const WORD = /[\p{L}\p{N}]+(?:['’`ʻ]\p{L}+)*/gu;
const PHRASE = new RegExp(`(?<![\\p{L}\\p{N}])(?:${PHRASES.join('|')})(?![\\p{L}\\p{N}])`, 'giu');
const PHRASE_SPELLINGS = new Map(PHRASES.map((phrase) => [phrase.toUpperCase(), phrase]));

/** The longest word in capitals, in a mixed-case name, that counts as initials. */
const INITIALS_MAX = 6;

/** How far around a word its context matters, in UTF-16 units. */
const CONTEXT = 12;

/** The text right before and after a word, and whether the name has lower-case letters. */
interface Context {
  before: string;
  after: string;
  /** The name has lower-case letters, so its capitals carry meaning. */
  isMixed: boolean;
}

/**
 * Formats an employer's name or a position title for display:
 * "ST. MARY'S ICU OF NYC" -> "St. Mary's ICU of NYC". Changes only the case of letters. Idempotent.
 */
export function titleCase(name: string): string {
  const before = kept.get(name);
  if (before !== undefined) return before;
  const cased = write(name, hasSmall(name));
  // If no lower-case letter is left, the capitals carried no meaning: 'AA icu' becomes 'AA ICU'.
  const final = hasSmall(cased) ? cased : write(name, false);
  if (kept.size >= KEPT) kept.clear();
  kept.set(name, final);
  return final;
}

/** Recently formatted names: a page shows many of them several times. */
const kept = new Map<string, string>();
const KEPT = 500;

const hasSmall = (name: string) => /\p{Ll}/u.test(name);

function write(name: string, isMixed: boolean): string {
  const cased = name.replace(WORD, (word, at: number) => {
    const end = at + word.length;
    const before = name.slice(Math.max(0, at - CONTEXT), at);
    return caseWord(word, { before, after: name.slice(end, end + CONTEXT), isMixed });
  });
  return cased.replace(PHRASE, (phrase) => PHRASE_SPELLINGS.get(phrase.toUpperCase()) ?? phrase);
}

function caseWord(word: string, context: Context): string {
  const upper = word.toUpperCase();
  const lower = word.toLowerCase();
  if (isStateAtEnd(upper, context)) return upper;
  if (isSmall(lower, context)) return lower;
  return (
    SPELLINGS.get(upper.replace(/[’`ʻ]/u, "'")) ??
    caseAbbreviation(upper) ??
    (context.isMixed && isWrittenWithCare(word) ? word : casePlain(lower))
  );
}

/** The first word, and one after a dash, colon, or bracket, is always capitalized. */
function isSmall(lower: string, { before, after }: Context): boolean {
  if (!/[\p{L}\p{N},.'’`)&/] $/u.test(before)) return false;
  if (SMALL_AFTER_DE.has(lower)) return /(?<!\p{L})de $/iu.test(before);
  if (!SMALL_WORDS.has(lower)) return false;
  // A single letter is a word only between words: 'A CAMPUS OF', but 'A H C', 'A.O.', 'J Y CO'.
  return lower.length > 1 || (/^ \p{L}{2}/u.test(after) && /[\p{L}\p{N}]{2}[,.)]? $/u.test(before));
}

/** 'MARION, IN': many state codes are also words. */
function isStateAtEnd(upper: string, { before, after }: Context): boolean {
  return /^[A-Z]{2}$/.test(upper) && after === '' && before.endsWith(', ');
}

const ROMAN = /^(?=[IVX]{2})X{0,2}(?:IX|IV|V?I{0,3})$/;
const ORDINAL = /^\d+(?:ST|ND|RD|TH|D)$/;

/** Returns null for a plain word. */
function caseAbbreviation(upper: string): string | null {
  const [stem = '', ending] = upper.split(/(?=['’`ʻ]S$)/u);
  if (ABBREVIATIONS.has(stem)) return stem + (ending ?? '').toLowerCase();
  if (upper.length === 1 || ROMAN.test(upper)) return upper;
  if (ORDINAL.test(upper)) return upper.toLowerCase();
  if (/\d/.test(upper)) return upper;
  const isInitials = /^[B-DF-HJ-NP-TV-XZ]{2,5}$/.test(upper) && !SHORT_FORMS.has(upper);
  return isInitials ? upper : null;
}

function isWrittenWithCare(word: string): boolean {
  const firstSmall = word.search(/\p{Ll}/u);
  const hasInnerCapital =
    firstSmall >= 0 && (/\p{Lu}/u.test(word.slice(firstSmall)) || /^\p{Lu}{2}/u.test(word));
  return hasInnerCapital || (word === word.toUpperCase() && word.length <= INITIALS_MAX);
}

/** 'o'connor' -> 'O'Connor', 'mcleod' -> 'McLeod', 'women's' -> 'Women's'. */
function casePlain(lower: string): string {
  const [, prefix, rest] = /^([odl]['’`]|mc)(\p{L}{3}.*)$/u.exec(lower) ?? [];
  return prefix && rest ? capitalize(prefix) + capitalize(rest) : capitalize(lower);
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
