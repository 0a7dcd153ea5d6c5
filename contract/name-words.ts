/** Words with special capitalization in title case (contract/names.ts). */

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Always in capitals: care and its places, degrees, government, companies, systems, states. */
export const ABBREVIATIONS = words(`
  ADHD AIDS APH BH CAH CCU CDRH CVICU ECMO ED EEG EM EMS ENT EP ER FQHC GI GU GYN HCC HIV HMO ICF
  ICU ID IM IR IRF LGBTQ LTAC LTACH LTCU MFM MH MICU MRI MSK NF NICU NSG OB OBGYN OT PACU PCP PHF
  PICU PM PMR PRN PT REI RMC SICU SNF STAT TB TMS UC
  APP APRN CEO CFO CIO CMIO CMO CNM COO CRNA DDS DMD DNP DO DPM FACEP FACP FACS GME IMG LCSW LPN
  MBA MBBS MD MHA MPH MS MSW NP PA PGY RN VP
  AFB CAVHCS CDC CMS DHEW DHHS DVA FEMA HHS HRSA IHS NAIHS NASA NIH PHS SAMHSA STVHCS US USA USAF
  USN VA VAMC VHA
  LLC LLP LP PC PLC PLLC
  ABSMC ACMH AHF AHMC AHN AMC AMG ARH AU BAMC BCA BHC BIDMC BILH BJC BMC BSW BWH CAMC CCM CGH CHA
  CHI CHKD CHLA CHOC CHOP CHRISTUS CHS CIMA CJW CMC CUNY DCH DLP DMC EAMC ECU EMH FHN GW HCA HIMA
  HMC HSHS HSS HUMC INTEGRIS IU JFK JPS KMI KPC KU LAC LBJ LDS LECOM LPDS LSU LSUHSC LVH LVHN MCG
  MCHS MGH MPI MSKCC MUSC NCBH NCH NEA NEOH NMC NMMC NWA NYC NYP NYU OCH OHRH OHSU OKC OSF OSS OSU
  OU PAM PIH PSLMC RMH RML RUMC RWJ RWJBH SBH SCI SCL SGMC SIU SJRH SLU SSM SUNY TAMU TIRR TLC TMC
  TMCA TRMC TTUHSC UAB UAMS UCF UCI UCLA UCSD UCSF UF UH UHHS UHS UIC UK UM UMC UMD UMMC UNC UNM
  UPMC UPR URMC USC USD USF USMD UT UTHSC UTMB UTMC UTSW UVA UVM UW VCU WCA WK WVU WVUH YRMC
  AZ DC FL GA KS KY MN NC ND NE NH NJ NM NV NW NY OH PR SC SD SE SW TN TX VT WI WV WY
`);

/** Spellings of brands, and other customary spellings. */
const SPELLED = words(`
  AdventHealth AllianceHealth AnMed AtlantiCare BayCare BronxCare CalvertHealth CareOne CarePartners
  CarePlex CarePoint CentraCare ContinueCare CoxHealth DeBakey DeGraff DeKalb DeLand DePaul DePoo
  DeQuincy DeRidder DeSmet DeSoto DeTar DeWitt DuBois DuPage EvergreenHealth FirstHealth
  HealthAlliance HealthBridge HealthEast HealthPark HealthPartners HealthPlex HealthSource HealthSouth HealthWest
  HonorHealth IntraCare LaFollette LaGrange LaPorte LaRue LaSalle LifeBridge LifeCare MacArthur
  MacNeal MarinHealth MedCentral MedStar MemorialCare MercyCare MercyOne MetroHealth MetroSouth MetroWest MountainView
  MultiCare NorthBay NorthCrest NorthShore OakBend OhioHealth OrthoColorado OrthoIndy PeaceHealth
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
  'Ed Fraser',
  'Fond du Lac',
  'Lac du Flambeau',
  'Lac qui Parle',
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
