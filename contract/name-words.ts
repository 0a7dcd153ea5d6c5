/** Words with special capitalization in title case (contract/names.ts). */

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Always in capitals: care and its places, degrees, government, companies, systems, states. */
export const ABBREVIATIONS = words(`
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
export const SPELLINGS: ReadonlyMap<string, string> = new Map(
  [...SPELLED].map((spelling) => [spelling.toUpperCase(), spelling]),
);

/** Phrases whose words would otherwise be misread. */
export const PHRASES: readonly string[] = [
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
export const SMALL_WORDS = words('a an and at by de del du for from in of on or the to with y');

/** Lower case only after 'de': 'de la Concepcion', but 'La Jolla'. */
export const SMALL_AFTER_DE = words('la las los');

/** Abbreviations without a vowel that are not initials. */
export const SHORT_FORMS = words(`
  BLDG BLVD CLNC CLNTN CMP CNTR CNTRL CT CTR DPT DR FMLY FND FT GRP HGHTS HGTS HLT HLTH HLTHCR HSP HSPTL HTS
  HWY JR LN MNTH MPLS MR MRS MT MTL MTN PKWY PL PLZ PSYCH RD RVR SGT SPGS SPRG SQ SR SRVCS ST STR SV
  SVC SVCS SYS SYST SYSTM TWNSHP TWP VLG VLLY WKFLD WM WSTN
`);
