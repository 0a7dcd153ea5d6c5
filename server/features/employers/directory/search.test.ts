import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { readDemoData } from '#server/demo/seed.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { expect, type Site, testWith } from '#server/testing/site.ts';

const test = testWith();

type Found = Awaited<ReturnType<typeof find>>;

async function find(site: Site, search: string, more: object = {}) {
  const query = { search, page_size: 3, ...more };
  return (await site.visitor().get(employerEndpoints.list, { query })).body;
}
const namesIn = ({ results }: Found) => results.map(({ name }) => name);

test.beforeAll(async ({ site }) => {
  const { employers } = await readDemoData();
  for (const employer of employers) await site.employer(employer);
  await site.employer({ name: 'St. Fiacre Hospital', city: 'Fort Larn', state: 'OH' });
  await site.employer({ name: 'MOUNT ÉLAN VA MED CTR', city: 'Larn', state: 'OH' });
  await site.employer({ name: 'WELLCARE M.D. LARN', city: 'Larn', state: 'OH' });
  const aliases = ['The Old Glovers'];
  await site.employer({ name: 'Sedgewort Infirmary', city: 'El Tarn', state: 'TX', aliases });
});

test.for([
  ['penhallow valley', 'Penhallow Valley Medical Center'],
  ['penh val', 'Penhallow Valley Medical Center'],
  ['PENHALOW VALEY', 'Penhallow Valley Medical Center'],
  ['calloway dunmere', 'Calloway-Dunmere Medical Center'],
  ['larkmoor childrens', "Larkmoor Children's Hospital"],
  ['larkmoor peds', "Larkmoor Children's Hospital"],
  ['cardio fellowship', 'Larkmoor University Cardiovascular Disease Fellowship'],
  ['dermatology scottsdale', 'Velloria Skin & Laser Partners'],
  ['psych raleigh north carolina', 'Heron Sedge Psychiatric Hospital'],
  ['residency texas', 'Saltgrass Coast Internal Medicine Residency'],
  ['hospital WV', 'Laurel Tipple Hospital'],
  ['52101', 'Otter Bend Memorial Hospital'],
  ['the old glovers', 'Sedgewort Infirmary'],
  ['md larn', 'WELLCARE M.D. LARN'],
  ['4120 ocotillo tucson', 'Tamsin Ridge Medical Center'],
  ['quick heron', 'QuickHeron Urgent Care'],
  ['srh', 'Skagwin Regional Hospital'],
  ['saint fiacre', 'St. Fiacre Hospital'],
  ['st fiacres ft larn', 'St. Fiacre Hospital'],
  ['mt elan veterans affairs medical center', 'MOUNT ÉLAN VA MED CTR'],
  ['well care', 'WELLCARE M.D. LARN'],
  ['eltarn', 'Sedgewort Infirmary'],
  ['infirmary eltarn', 'Sedgewort Infirmary'],
  ['van houtem grand rapids', 'Van Houtem Medical Center'],
  ['aldermoor hopital wurcester', 'Aldermoor Hospital'],
  ['hospitl houston', 'Halvorsen-Pike Medical Center'],
  ['houston hospitl', 'Halvorsen-Pike Medical Center'],
  ['hostpital huston', 'Halvorsen-Pike Medical Center'],
  ['brackenhall surgery baltimore md', 'Brackenhall University General Surgery Residency'],
] as const)('"%s" is %s', async ([search, name], { site }) => {
  expect(namesIn(await find(site, search))).toContain(name);
});

test.for([
  ['thornquist', 'Thornquist Memorial Medical Center'],
  ['thornquist memorial medical ctr', 'Thornquist Memorial Medical Center'],
  ['orrin vale', 'Orrin Vale University Hospital'],
  ['redfern oakes', 'Redfern-Oakes Medical Center'],
  ['Marlowe Heights Womens', "Marlowe Heights Women's Hospital"],
  ['army hospital lakewood', 'Camp Ardmoor Army Community Hospital'],
  ['velloria skin and laser', 'Velloria Skin & Laser Partners'],
  ['tidewren heart', 'Tidewren Heart & Vascular Hospital'],
  ['bellhaven pac', 'Bellhaven Pacific Medical Center'],
  ['bpmc', 'Bellhaven Pacific Medical Center'],
  ['whrmc', 'Wren Hollow Regional Medical Center'],
  ['hsph', 'Heron Sedge Psychiatric Hospital'],
  ['thornqist', 'Thornquist Memorial Medical Center'],
  ['calaway dunmere', 'Calloway-Dunmere Medical Center'],
  ['chesington harbour', 'Chessington Harbor Medical Center'],
  ['brackenhal surgery', 'Brackenhall University General Surgery Residency'],
  ['tuscavail', 'Tuscavale Medical Center'],
  ['hospital tucson', 'Tamsin Ridge Medical Center'],
  ['yakima wa', 'Skagwin Regional Hospital'],
  ['danbury hospital', 'Harrow Fen Hospital'],
  ['hospital norfolk virginia', 'Hollis Tide Medical Center'],
  ['bronx hospital', 'Ostrander-Hale Hospital Center'],
  ['halvorsen houston', 'Halvorsen-Pike Medical Center'],
  ['larkmoor kansas city', "Larkmoor Children's Hospital"],
  ['wexcombe atlanta', 'Wexcombe University Obstetrics and Gynecology Residency'],
  ['rheumatology', 'Wraxley University Rheumatology Fellowship'],
  ['gi fellowship pittsburgh', 'Hollisworth University Gastroenterology Fellowship'],
  ['obgyn columbia sc', "Palmetto Wren Women's Health"],
  ['radiology residency indianapolis', 'Ossienne University Diagnostic Radiology Residency'],
  ['99901', 'Tern Passage Hospital'],
  ['1820 west fillmont', 'Thornquist Memorial Medical Center'],
  ['stonylark', 'Stony Lark Hospital'],
] as const)('"%s" leads with %s', async ([search, name], { site }) => {
  expect(namesIn(await find(site, search))[0]).toBe(name);
});

test('words for a specialty find employers reviewed in it, also in a place', async ({ site }) => {
  const there = await site.employer({ name: 'Wharf Group', city: 'Tarn', state: 'OH' });
  const elsewhere = await site.employer({ name: 'Pier Group', city: 'Dole', state: 'VT' });
  const entrance = await site.employer({ name: 'Entrada Hospital', city: 'Tarn', state: 'OH' });
  for (const at of [there, elsewhere]) await site.review({ at, specialty: 'Otolaryngology' });
  for (const search of ['ent', 'ENT doctor', 'otolaryngology']) {
    const { results } = await find(site, search, { page_size: 20 });
    const found = results.map(({ id }) => id);
    expect(found).toEqual(expect.arrayContaining([there, elsewhere]));
    expect(found).not.toContain(entrance);
  }
  expect((await find(site, 'ent tarn')).results.map(({ id }) => id)).toEqual([there]);
  for (const search of ['ent ohio', 'Ohio ENT doctor', 'ENT OH', 'oh otolaryngology']) {
    expect([search, (await find(site, search)).results.map(({ id }) => id)]).toEqual([
      search,
      [there],
    ]);
  }
  // At once, also after an edit.
  const author = await site.doctor();
  const { id } = await site.review({ at: there, by: author });
  expect(namesIn(await find(site, 'nephrology tarn'))).not.toContain('Wharf Group');
  const edited = reviewOf(there, { specialty: 'Nephrology' });
  await site.as(author).patch(reviewEndpoints.edit, edited, { params: { id } });
  expect(namesIn(await find(site, 'nephrology tarn'))).toEqual(['Wharf Group']);
  // Not a specialty as a whole.
  expect(namesIn(await find(site, 'entrad'))).toEqual(['Entrada Hospital']);
});

test('a state alone in capitals is the state, in small letters a word too', async ({ site }) => {
  await site.employer({ name: 'Quiet Clinic', city: 'Orlin', state: 'OR' });
  await site.employer({ name: 'Orchard Clinic', city: 'Dole', state: 'VT' });
  const { results } = await find(site, 'OR', { page_size: 20 });
  expect(results.map(({ name }) => name)).toContain('Quiet Clinic');
  expect(new Set(results.map(({ state }) => state))).toEqual(new Set(['OR']));
  expect(namesIn(await find(site, 'or clinic'))).toContain('Orchard Clinic');
  expect(namesIn(await find(site, 'or clinic'))).not.toContain('Quiet Clinic');
  expect(namesIn(await find(site, 'clinic orlin or'))).toEqual(['Quiet Clinic']);
});

test('shows the best match first unless another order is requested', async ({ site }) => {
  const bySize = ['Penhallow Valley Medical Center', 'Penhallow Harbor Pediatrics Residency'];
  expect(namesIn(await find(site, 'penhallow'))).toEqual(bySize);
  const byName = namesIn(await find(site, 'medical center', { ordering: '-name' }));
  expect(byName).toEqual([...byName].sort().reverse());
});

test('order: name, start of a name, place, word of a name, reviews, size', async ({ site }) => {
  const ohio = { city: 'Quarn', state: 'OH' };
  const far = { city: 'Dole', state: 'VT' };
  await site.employer({ name: 'Old Quarn Clinic', ...far, bed_count: 900 });
  await site.employer({ name: 'Sedge Hospital', ...ohio, bed_count: 100 });
  await site.employer({
    name: 'Closed Hospital',
    ...ohio,
    hospital_status: 'Closed',
    bed_count: 500,
  });
  await site.employer({ name: 'Fen Center Transplant', ...ohio, bed_count: 400 });
  await site.employer({ name: 'Fen Center', ...ohio, bed_count: 300 });
  const reviewed = await site.employer({ name: 'Moor Clinic', ...ohio, bed_count: 10 });
  await site.review({ at: reviewed });
  await site.employer({ name: 'Quarns House', ...far });
  await site.employer({ name: 'Quarn House', ...far });
  await site.employer({ name: 'QUARN', ...far });
  const names = namesIn(await find(site, 'quarn', { page_size: 20 }));
  const expected = ['QUARN', 'Quarn House', 'Quarns House'];
  const there = ['Moor Clinic', 'Fen Center', 'Sedge Hospital'];
  const last = ['Closed Hospital', 'Fen Center Transplant', 'Old Quarn Clinic'];
  expect(names).toEqual([...expected, ...there, ...last]);
  const hospitals = namesIn(await find(site, 'hospital quarn oh', { page_size: 20 }));
  expect(hospitals).toEqual([...there, ...last.slice(0, 2)]);
});

test('of cities of a name, that with most beds is meant, or the one named', async ({ site }) => {
  const houses = [
    { name: 'Tarr House', city: 'Ulm', state: 'MO', bed_count: 50 },
    { name: 'Fell House', city: 'Ulm', state: 'TX', bed_count: 400 },
    { name: 'Ridge House', city: 'St. Ulm', state: 'OH', bed_count: 9 },
  ];
  for (const house of houses) await site.employer(house);
  for (const [search, ...names] of [
    ['ulm', 'Fell House'],
    ['ulm hospital', 'Fell House'],
    ['hospital ulm mo', 'Tarr House'],
    ['ulm missouri', 'Tarr House'],
    ['tarr ulm', 'Tarr House'],
    ['saint ulm', 'Ridge House'],
  ]) {
    expect(namesIn(await find(site, search ?? ''))).toEqual(names);
  }
});

test('beside specific words, a kind such as "hospital" only ranks', async ({ site }) => {
  const aliases = ['Osk'];
  await site.employer({ name: 'Ridley Pavilion', city: 'Dole', state: 'VT', aliases });
  const names = ['Osk Hospital', 'Osk Hospital West', 'Osk Medical Ctr', 'Upper Osk Hospital'];
  for (const name of [...names, 'Upper Osk Clinic'].reverse()) {
    await site.employer({ name, city: 'Dole', state: 'VT' });
  }
  const [first, ...others] = [...names, 'Upper Osk Clinic'];
  const found = namesIn(await find(site, 'osk hospital', { page_size: 20 }));
  expect(found).toEqual([first, 'Ridley Pavilion', ...others]);
  expect(namesIn(await find(site, 'osk med ctr west'))[0]).toBe('Osk Hospital West');
  await site.employer({ name: 'Upper Memorial Clinic', city: 'Dole', state: 'VT' });
  expect(namesIn(await find(site, 'upper memorial hospital'))).not.toContain('Upper Osk Hospital');
  expect(namesIn(await find(site, 'memorial center dole'))).toEqual(['Upper Memorial Clinic']);
  const common = namesIn(await find(site, 'memorial hospital', { page_size: 100 }));
  expect(common).not.toContain('Upper Memorial Clinic');
});

test('so does one that is still being typed, or abbreviated', async ({ site }) => {
  const there = { city: 'Lenz', state: 'VT' };
  await site.employer({ name: 'Ostrel Pavilion', aliases: ['Ostrel Hospital'], ...there });
  await site.employer({ name: 'Ostrel Hospital West', bed_count: 900, ...there });
  for (const kind of ['hos', 'hosp', 'hospit', 'hospital', 'medi', 'clin', 'hospitals']) {
    const { is_closest, ...found } = await find(site, `ostrel ${kind}`);
    const leads = kind.startsWith('hos') ? namesIn(found)[0] : 'Ostrel Pavilion';
    expect([kind, is_closest, leads]).toEqual([kind, undefined, 'Ostrel Pavilion']);
    expect(namesIn(found)).toContain('Ostrel Pavilion');
  }
  expect(namesIn(await find(site, 'hospitals near lenz'))[0]).toBe('Ostrel Hospital West');
});

test('a name of a kind that was not typed leads', async ({ site }) => {
  const aliases = ['Lorrin Memorial Hospital'];
  await site.employer({ name: 'Ferrow System', city: 'Dole', state: 'VT', aliases });
  await site.employer({ name: 'Lorrinville Memorial', city: 'Lorrin', state: 'VT' });
  const found = namesIn(await find(site, 'lorrin memorial'));
  expect(found).toEqual(['Ferrow System', 'Lorrinville Memorial']);
});

test('a common word is left out before another is respelled', async ({ site }) => {
  await site.employer({ name: 'Quastel House', city: 'Dole', state: 'VT' });
  await site.employer({ name: 'Quastal Regional Hospital', city: 'Dole', state: 'VT' });
  await site.employer({ name: 'Ward', city: 'Quastel', state: 'OH' });
  await site.employer({ name: 'Upper Regional', city: 'Dole', state: 'OH' });
  for (const search of ['quastel regional hospital', 'regional quastel']) {
    const { is_closest, ...found } = await find(site, search);
    expect([is_closest, namesIn(found)[0]]).toEqual([true, 'Quastel House']);
  }
});

test('of the places that words may name, one where they find something', async ({ site }) => {
  await site.employer({ name: 'Vesper Hospital', city: 'Lunt', state: 'OH', bed_count: 10 });
  await site.employer({ name: 'Vesper Hospital', city: 'Dole', state: 'VT', bed_count: 500 });
  await site.employer({ name: 'Ember House', city: 'Vesper', state: 'KS', bed_count: 900 });
  await site.employer({ name: 'St Josephs Mercy', city: 'St. Lunt', state: 'OH' });
  for (const [search, name, city] of [
    ['vesper hospital lunt', 'Vesper Hospital', 'Lunt'],
    ['vesper lunt', 'Vesper Hospital', 'Lunt'],
    ['vesper medical center dole', 'Vesper Hospital', 'Dole'],
    ['vesper vermont', 'Vesper Hospital', 'Dole'],
    ['ember vesper', 'Ember House', 'Vesper'],
    ['vesper hospital', 'Vesper Hospital', 'Dole'],
    ['st joes saint lunt', 'St Josephs Mercy', 'St. Lunt'],
  ]) {
    const { results, is_closest } = await find(site, search ?? '');
    expect([search, is_closest, results[0]]).toMatchObject([search, undefined, { name, city }]);
  }
});

test('a hospital that is not in the city is looked for in its state', async ({ site }) => {
  await site.employer({ name: 'Tern Pavilion', city: 'Harl', state: 'ID' });
  await site.employer({ name: 'Tern Pavilion', city: 'Dole', state: 'VT', bed_count: 900 });
  await site.employer({ name: 'Merrow House', city: 'Merrow', state: 'ID', bed_count: 500 });
  for (const search of ['tern merrow', 'merrow tern pavilion', 'tern hospital merrow idaho']) {
    const { results, is_closest } = await find(site, search);
    expect([search, is_closest, results[0]?.city]).toEqual([search, true, 'Harl']);
    expect(results).toHaveLength(1);
  }
});

test('a name before its state is looked for there', async ({ site }) => {
  await site.employer({ name: 'Sorrel Hospital', city: 'Dole', state: 'ME', bed_count: 10 });
  await site.employer({ name: 'Sorrel Medical Center', city: 'Harl', state: 'TX', bed_count: 900 });
  await site.employer({ name: 'Sorrel Hospital', city: 'Harl', state: 'KS', bed_count: 500 });
  await site.employer({ name: 'Old Sorrel Hospital', city: 'Lunt', state: 'TX' });
  await site.employer({ name: 'Tansy House', city: 'Sorrel', state: 'OH', bed_count: 900 });
  for (const [search, state] of [
    ['sorrel hospital tx', 'TX'],
    ['Sorrel TX', 'TX'],
    ['sorrel hospital, ks', 'KS'],
    ['sorrel hospital me', 'ME'],
    ['sorrel hospital maine', 'ME'],
    ['Sorrel ME', 'ME'],
    // The beginning of a word, such as 'medical'.
    ['sorrel me', 'TX'],
  ]) {
    const { results, is_closest } = await find(site, search ?? '');
    expect([search, is_closest, results[0]?.state]).toEqual([search, undefined, state]);
  }
  // A city in its state comes before names.
  expect((await find(site, 'sorrel OH')).results[0]?.name).toBe('Tansy House');
  // The whole search is a name.
  await site.employer({ name: 'Hospital of Sorrel Maine', city: 'Lunt', state: 'OH' });
  const found = await find(site, 'hospital of sorrel maine');
  expect(namesIn(found)[0]).toBe('Hospital of Sorrel Maine');
});

test('two words may stand between those of a name, and phrases be short', async ({ site }) => {
  const place = { city: 'Dole', state: 'VT' };
  await site.employer({ name: 'Corvid Hospital of Marrin', ...place, bed_count: 1 });
  await site.employer({ name: 'The Marrin Corvid House', ...place, bed_count: 900 });
  expect(namesIn(await find(site, 'corvid marrin'))[0]).toBe('Corvid Hospital of Marrin');
  await site.employer({ name: 'San Francisco Corvid', ...place, bed_count: 1 });
  await site.employer({ name: 'Corvid of San Francisco', ...place, bed_count: 900 });
  expect(namesIn(await find(site, 'sf corvid'))[0]).toBe('San Francisco Corvid');
});

test('words run together find an open employer beside a closed one', async ({ site }) => {
  const closed = { name: 'LEQUARREL HOSPITAL', hospital_status: 'Closed' };
  for (const employer of [closed, { name: 'Le Quarrel House' }, { name: 'Quarrel of Le' }]) {
    await site.employer({ ...employer, city: 'Dole', state: 'VT' });
  }
  for (const search of ['lequarrel', 'lequarrel dole']) {
    const { results, is_closest } = await find(site, search);
    expect(new Set(results.map(({ name }) => name))).toEqual(
      new Set(['LEQUARREL HOSPITAL', 'Le Quarrel House']),
    );
    expect(is_closest).toBe(undefined);
  }
});

test('a typo is not two words, unless they follow each other', async ({ site }) => {
  await site.employer({ name: 'Barnwell Hospital', city: 'Dole', state: 'VT' });
  await site.employer({ name: 'Wells of Ban Hospital', city: 'Dole', state: 'VT' });
  await site.employer({ name: 'Old Ban Well', city: 'Dole', state: 'VT' });
  expect(namesIn(await find(site, 'bawell hospital'))).toEqual(['Barnwell Hospital']);
  expect(namesIn(await find(site, 'banwells hospital'))).toEqual(['Barnwell Hospital']);
  expect(namesIn(await find(site, 'banwell'))).toEqual(['Old Ban Well']);
});

test('"va" asks for veterans, not for a word that begins like it', async ({ site }) => {
  const names = [
    'Quillan Valley Hospital',
    'QUILLAN DEPARTMENT OF VETERANS AFFAIRS',
    'Vance VA Clinic',
  ];
  for (const name of names)
    await site.employer({ name, city: 'Quarn', state: 'OH', bed_count: 90 });
  for (const search of ['quillan va', 'va quillan']) {
    expect(namesIn(await find(site, search))).toEqual(['QUILLAN DEPARTMENT OF VETERANS AFFAIRS']);
  }
  expect(namesIn(await find(site, 'quarn va')).toSorted()).toEqual(names.slice(1).toSorted());
});

test('a typo in an alias leads to its employer, as the alias does', async ({ site }) => {
  const aliases = ['Zimmervald Kids'];
  await site.employer({ name: 'Home of Hale', city: 'Dole', state: 'VT', aliases });
  await site.employer({
    name: 'Zimmervald Home for Kids',
    city: 'Dole',
    state: 'VT',
    bed_count: 900,
  });
  for (const search of ['zimmervald kids', 'zimmerwald kids']) {
    expect(namesIn(await find(site, search))[0]).toBe('Home of Hale');
  }
});

test('swapped letters, a missing one, or two typos lead to the word meant', async ({ site }) => {
  const place = { city: 'Dole', state: 'VT' };
  for (const name of ['Ohzu House', 'Vrands House', 'Vroedtert House']) {
    await site.employer({ name, ...place });
  }
  for (const name of ['Oahu House', 'Vrannon House']) {
    await site.employer({ name, ...place, bed_count: 900 });
  }
  for (const [typed, name] of [
    ['ozhu', 'Ohzu House'],
    // Not a plural of 'vran', with which another word begins.
    ['vrans', 'Vrands House'],
    ['vrodert', 'Vroedtert House'],
  ] as const) {
    expect([typed, namesIn(await find(site, typed))[0]]).toEqual([typed, name]);
  }
});

test('a place that no employer gives is ignored', async ({ site }) => {
  await site.employer({ name: 'Pleasant Orrel Hospital', city: 'Dole', state: 'VT' });
  for (const place of ['quixby', 'new quixby', 'east quixby heights', 'lake quixby ohio']) {
    const found = await find(site, `pleasant orrel hospital ${place}`);
    expect([namesIn(found), found.is_closest]).toEqual([['Pleasant Orrel Hospital'], true]);
  }
});

test('filters narrow a search without changing its meaning', async ({ site }) => {
  expect((await find(site, 'medical', { state: 'FL' })).count).toBe(2);
  expect((await find(site, 'penhallow', { state: 'FL' })).count).toBe(0);
});

test.for(['zzzzqq', 'zzzzqq hospital', '!!!', '&', '病院', "'", '\\', "a' | 'b:*", '()', ':*'])(
  '%j finds nothing and does no harm',
  async (search, { site }) => {
    expect((await find(site, search)).count).toBe(0);
  },
);

test('pages of a search do not overlap', async ({ site }) => {
  const first = await find(site, 'medical', { page_size: 100 });
  const pages = [];
  for (let page = 1; page <= Math.ceil(first.count / 3); page += 1) {
    pages.push(...namesIn(await find(site, 'medical', { page })));
  }
  expect(pages).toEqual(namesIn(first));
});
