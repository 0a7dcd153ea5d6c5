import { expect } from 'vitest';
import { suggestionEndpoints } from '#contract/endpoints/reviews.ts';
import { importEmployers } from '#server/features/employers/import/import.ts';
import { KNOWN_ALIASES } from '#server/features/employers/import/known-aliases.ts';
import { CMS_FILE, HOSPITALS_FILE } from '#server/testing/hospitals-file.ts';
import { type Site, testWith } from '#server/testing/site.ts';

const HAS_FILES = CMS_FILE !== '' && HOSPITALS_FILE !== '';

const test = testWith();
test.beforeAll(async ({ site }) => {
  for (const [file, asOf] of [
    [CMS_FILE, '2026-02-01'],
    [HOSPITALS_FILE, '2026-02-02'],
  ] as const) {
    if (!HAS_FILES) return;
    const { signal } = new AbortController();
    await importEmployers(site.deps.database.background.db, file, {
      ...{ asOf, clock: site.deps.clock, isDryRun: false, isForced: false, signal },
      onStart() {},
      onProgress() {},
      onSkip() {},
    });
  }
}, 120_000);

const suggest = async (site: Site, search: string) =>
  (await site.visitor().get(suggestionEndpoints.list, { query: { search } })).body;

const keyOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

test('over real hospitals, each known name finds its hospital first', async ({ skip, site }) => {
  if (!HAS_FILES) skip('CMS_FILE and HOSPITALS_FILE are not set');
  const wrong: string[] = [];
  let tried = 0;
  for (const { aliases, state } of KNOWN_ALIASES) {
    for (const alias of aliases) {
      tried += 1;
      const [first] = (await suggest(site, alias)).employers;
      const { rows } = await site.deps.database.pool.query<{ id: number }>(
        'select id from employers where state = $1 and alias_keys @> array[name_key($2)] or name_key = name_key($2)',
        [state, alias],
      );
      if (!rows.some(({ id }) => id === first?.id)) wrong.push(`${alias}: ${first?.name}`);
    }
  }
  process.stdout.write(`${tried} names of real hospitals tried, ${wrong.length} wrong\n`);
  expect(wrong).toEqual([]);
}, 240_000);

/** What a doctor types, and the name and city of the hospital that comes first, or the place meant. */
const SEARCHES = [
  // With their state
  ['mount sinai hospital ny', 'Mount Sinai Hospital, New York'],
  ['beth israel deaconess medical center ma', 'Beth Israel Deaconess Medical Center, Boston'],
  ['houlton regional hospital me', 'Houlton Regional Hospital, Houlton'],
  ['wilkes-barre general hospital pa', 'Wilkes-Barre General Hospital, Wilkes-Barre'],
  ['Torrance State PA', 'Torrance State Hospital, Torrance'],
  ['marshall CA', 'Marshall Medical Center, Placerville'],
  ['saint agnes hospital md', 'Saint Agnes Hospital, Baltimore'],
  // As spoken
  ['massachusetts general', 'Massachusetts General Hospital, Boston'],
  ['mass gen', 'Massachusetts General Hospital, Boston'],
  ['brigham', "Brigham And Women's Hospital, Boston"],
  ['cleveland clinic', 'Cleveland Clinic, Cleveland'],
  ['mayo rochester', 'Mayo Clinic Hospital Rochester, Rochester'],
  ['mayo jacksonville', 'Mayo Clinic, Jacksonville'],
  ['stanford', 'Stanford Health Care, Palo Alto'],
  ['cedars sinai', 'Cedars-Sinai Medical Center, Los Angeles'],
  ['vanderbilt', 'Vanderbilt University Medical Center, Nashville'],
  ['northwestern memorial', 'Northwestern Memorial Hospital, Chicago'],
  ['rush chicago', 'Rush University Medical Center, Chicago'],
  ['university of chicago', 'The University Of Chicago Medical Center, Chicago'],
  ['barnes jewish', 'Barnes Jewish Hospital, Saint Louis'],
  ['yale new haven', 'Yale-New Haven Hospital, New Haven'],
  ['houston methodist', 'Houston Methodist Hospital, Houston'],
  ['md anderson', 'University Of Texas M.D. Anderson Cancer Center, Houston'],
  ['parkland', 'Parkland Memorial Hospital, Dallas'],
  ['grady', 'Grady Memorial Hospital, Atlanta'],
  ['emory midtown', 'Emory University Hospital Midtown, Atlanta'],
  ['jackson memorial', 'Jackson Health System, Miami'],
  ['bellevue', 'Bellevue Hospital Center, New York'],
  ['lenox hill', 'Lenox Hill Hospital, New York'],
  ['penn presbyterian', 'Penn Presbyterian Medical Center, Philadelphia'],
  ['thomas jefferson', 'Thomas Jefferson University Hospital, Philadelphia'],
  ['harborview', 'Uw Medicine - Harborview Medical Center, Seattle'],
  ['virginia mason', 'Virginia Mason Medical Center, Seattle'],
  ['cook county hospital', 'John H Stroger Jr Hospital, Chicago'],
  ['tampa general', 'Tampa General Hospital, Tampa'],
  ['henry ford detroit', 'Henry Ford Health Hospital, Detroit'],
  ['christ hospital cincinnati', 'Christ Hospital, Cincinnati'],
  // Initials and short forms
  ['mgh', 'Massachusetts General Hospital, Boston'],
  ['bwh', "Brigham And Women's Hospital, Boston"],
  ['bidmc', 'Beth Israel Deaconess Medical Center - West, Boston'],
  ['chop', "Children's Hospital Of Philadelphia, Philadelphia"],
  ['ucsf', 'Ucsf Medical Center, San Francisco'],
  ['ohsu', 'Ohsu Hospital And Clinics, Portland'],
  ['nyu', 'Nyu Langone Hospitals, New York'],
  ['upmc presby', 'Upmc Presbyterian Shadyside, Pittsburgh'],
  ['univ of michigan', 'University Of Michigan Health System, Ann Arbor'],
  ['mt sinai nyc', 'Mount Sinai Hospital, New York'],
  ['mt auburn', 'Mount Auburn Hospital, Cambridge'],
  ['saint marys tucson', "St. Mary's Hospital, Tucson"],
  ['st lukes boise', "St Luke's Regional Medical Center, Boise"],
  ['ft wayne va', 'Fort Wayne Va Medical Center, Fort Wayne'],
  ['va palo alto', 'Palo Alto Va Medical Center, Palo Alto'],
  ['va houston', 'Michael E. Debakey Department Of Veterans Affairs Medical Center, Houston'],
  ['veterans affairs boston', 'Va Boston Healthcare System - Jamaica Plain, Jamaica Plain'],
  ['vamc seattle', 'Seattle Va Medical Center (Va Puget Sound Healthcare System), Seattle'],
  ['maine med', 'Mainehealth Maine Medical Center, Portland'],
  ['hosp for special surgery', 'Hospital For Special Surgery, New York'],
  ['baystate med ctr', 'Baystate Medical Center, Springfield'],
  ['advent health orlando', 'Adventhealth Orlando, Orlando'],
  ['columbus va', 'Chalmers P. Wylie VA Ambulatory Care Center, Columbus'],
  ['va new haven', 'West Haven VA Medical Center, West Haven'],
  ['sfva', 'San Francisco VA Medical Center, San Francisco'],
  ['balboa', 'NMC San Diego, San Diego'],
  ['mdacc', 'University of Texas M.D. Anderson Cancer Center, Houston'],
  ['baptist jax', 'Baptist Health Medical Center - Jacksonville, Jacksonville'],
  ['childrens hospital okc', "OU Medical Center -The Children's Hospital, Oklahoma City"],
  // Children's
  ['boston childrens', "Boston Children's Hospital, Boston"],
  ['texas childrens', 'Texas Childrens Hospital, Houston'],
  ['childrens hospital los angeles', "Children's Hospital Los Angeles, Los Angeles"],
  ['nationwide childrens', "Nationwide Children's Hospital, Columbus"],
  ['seattle childrens', "Seattle Children's, Seattle"],
  // Location, address, and type
  ['kaiser oakland', 'Kaiser Foundation Hospital - Oakland/Richmond, Oakland'],
  ['psychiatric belmont massachusetts', 'Mclean Hospital Corporation, Belmont'],
  // Typos
  ['mayo clinc phoenix', 'Mayo Clinic Hospital, Phoenix'],
  ['jhons hopkins', 'The Johns Hopkins Hospital, Baltimore'],
  ['john hopkins', 'The Johns Hopkins Hospital, Baltimore'],
  ['massachusets general', 'Massachusetts General Hospital, Boston'],
  ['stanferd', 'Stanford Health Care, Palo Alto'],
  ['childrens hosptial phildelphia', "Children's Hospital Of Philadelphia, Philadelphia"],
  ['northwesten memorial', 'Northwestern Memorial Hospital, Chicago'],
  ['cinncinati childrens', "Children's Hospital Medical Center, Cincinnati"],
  ['sloan kettring', 'Memorial Hospital for Cancer and Allied Diseases, New York'],
  ['dartmouth hitchcock', 'Mary Hitchcock Memorial Hospital, Lebanon'],
  ['oshu', 'OHSU Hospital and Clinics, Portland'],
  ['frodert', 'Froedtert Memorial Lutheran Hospital, Milwaukee'],
  ['shans', 'UF Health Shands Hospital, Gainesville'],
  // A place, or a name beside others
  ['mass general', 'Massachusetts General Hospital, Boston'],
  ['hospital houston', 'Houston, TX'],
  ['houston', 'Houston, TX'],
  ['columbus ohio', 'Columbus, OH'],
  ['columbus', 'Columbus, OH'],
  ['portland maine', 'Portland, ME'],
  ['springfield hospitals', 'Springfield, MO'],
  ['duke', 'Duke University Hospital, Durham'],
  ['grady atlanta', 'Grady Memorial Hospital, Atlanta'],
  ['johns hopkins', 'The Johns Hopkins Hospital, Baltimore'],
  ['cleavland clinic', 'Cleveland Clinic, Cleveland'],
  ['55 fruit st boston', 'Massachusetts General Hospital, Boston'],
  ['st judes', 'St Jude Childrens Research Hospital, Memphis'],
  ['vanderbuilt', 'Vanderbilt University Medical Center, Nashville'],
  // Another kind than the name's
  ['ucsf hospital', 'UCSF Medical Center, San Francisco'],
  ['ronald reagan hospital', 'Ronald Reagan UCLA Medical Center, Los Angeles'],
  ['ucla hospital los angeles', 'Ronald Reagan UCLA Medical Center, Los Angeles'],
  ['stanford hospital', 'Stanford Health Care, Palo Alto'],
  [
    'medstar franklin square hospital baltimore',
    'MedStar Franklin Square Medical Center, Rosedale',
  ],
  ['stanford hosp', 'Stanford Health Care, Palo Alto'],
  ['stanford university hospital', 'Stanford Health Care, Palo Alto'],
  ['childrens wisconsin', 'Childrens Hospital of Wisconsin, Milwaukee'],
  ['la general', 'Los Angeles General Medical Center, Los Angeles'],
  // Still being typed
  ['stanford hospit', 'Stanford Health Care, Palo Alto'],
  ['duke medi', 'Duke University Hospital, Durham'],
  ['ku medical center', 'University of Kansas Hospital, Kansas City'],
  ['ku med', 'University of Kansas Hospital, Kansas City'],
  // Names that are places, too
  ['highland hospital oakland', 'Highland Hospital, Oakland'],
  ['lincoln hospital bronx', 'Lincoln Medical & Mental Health Center, Bronx'],
  ['bryan lincoln', 'Bryan Medical Center, Lincoln'],
  ['temple philly', 'Temple University Hospital, Philadelphia'],
  ['st joes tacoma', 'St Joseph Medical Center, Tacoma'],
  ['uw hospital madison', 'University of WI Hospitals & Clinics Authority, Madison'],
  ['lebonheur memphis', "Le Bonheur Children's Hospital, Memphis"],
  // Typos that could be two words
  ['highand hospital', 'Highland Hospital, Rochester'],
  ['nortwest texas hospital', 'Northwest Texas Hospital, Amarillo'],
  // Cities where it is not, and that no employer gives
  ['mayo scottsdale', 'Mayo Clinic Hospital, Phoenix'],
  ['kaiser pasadena', 'Kaiser Foundation Hospital - Los Angeles, Los Angeles'],
  ['pleasant valley hospital glen washington', 'Rivers Health, Point Pleasant'],
  [
    "ssm health st. mary's hospital - st. lou richmond heights",
    "SSM Health St Mary's Hospital - St Louis, Saint Louis",
  ],
] as const;

test('over the real hospitals, a search leads with what is meant', async ({ skip, site }) => {
  if (!HAS_FILES) skip('CMS_FILE and HOSPITALS_FILE are not set');
  const found = [];
  for (const [search, wanted] of SEARCHES) {
    const { employers, places } = await suggest(site, search);
    const [place, employer] = [places[0], employers[0]];
    const answers = [
      employer && `${employer.name}, ${employer.city}`,
      place && `${place.city}, ${place.state}`,
    ].map((answer) => keyOf(answer ?? ''));
    found.push([search, answers.includes(keyOf(wanted)) ? wanted : answers.join(' or ')]);
  }
  expect(found).toEqual(SEARCHES);
});
