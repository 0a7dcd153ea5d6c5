import { describe, expect } from 'vitest';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { readDemoData } from '#server/demo/data.ts';
import { importHospitals } from '#server/features/employers/import/import.ts';
import { HOSPITAL_SEARCHES } from '#server/features/employers/testing/hospital-searches.ts';
import { HOSPITALS_FILE } from '#server/testing/hospitals-file.ts';
import { type Site, testWith } from '#server/testing/site.ts';

const test = testWith();
const hifldTest = testWith();

type Found = Awaited<ReturnType<typeof find>>;

async function find(site: Site, search: string, more: object = {}) {
  const query = { search, page_size: 3, ...more };
  return (await site.visitor().get(employerEndpoints.list, { query })).body;
}
const namesIn = ({ results }: Found) => results.map(({ name }) => name);

describe('over the demo employers', () => {
  test.beforeAll(async ({ site }) => {
    const { employers } = await readDemoData();
    for (const employer of employers) await site.employer(employer);
    await site.employer({ name: 'St. Fiacre Hospital', city: 'Fort Larn', state: 'OH' });
    await site.employer({ name: 'MOUNT ÉLAN VA MED CTR', city: 'Larn', state: 'OH' });
    await site.employer({ name: 'WELLCARE M.D. LARN', city: 'Larn', state: 'OH' });
    await site.employer({ name: 'Sedgewort Infirmary', city: 'El Tarn', state: 'TX' });
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
    ['4120 ocotillo tucson', 'Tamsin Ridge Medical Center'],
    ['quick heron', 'QuickHeron Urgent Care'],
    ['srh', 'Skagwin Regional Hospital'],
    ['saint fiacre', 'St. Fiacre Hospital'],
    ['st fiacres ft larn', 'St. Fiacre Hospital'],
    ['mt elan veterans affairs medical center', 'MOUNT ÉLAN VA MED CTR'],
    ['md larn', 'WELLCARE M.D. LARN'],
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

  test('shows the best match first unless another order is requested', async ({ site }) => {
    const bySize = ['Penhallow Valley Medical Center', 'Penhallow Harbor Pediatrics Residency'];
    expect(namesIn(await find(site, 'penhallow'))).toEqual(bySize);
    // A name with the word comes before locations with it.
    expect(namesIn(await find(site, 'larn'))[0]).toBe('WELLCARE M.D. LARN');
    const byName = namesIn(await find(site, 'medical center', { ordering: '-name' }));
    expect(byName).toEqual([...byName].sort().reverse());
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
});

describe.skipIf(HOSPITALS_FILE === '')(
  'over the HIFLD hospitals (skipped without HOSPITALS_FILE)',
  () => {
    hifldTest.beforeAll(async ({ site }) => {
      const { signal } = new AbortController();
      const ignore = () => {};
      const silent = { onStart: ignore, onProgress: ignore, onSkip: ignore };
      await importHospitals(site.deps.db, HOSPITALS_FILE, { ...silent, signal });
    }, 60_000);

    hifldTest.for(HOSPITAL_SEARCHES)('"%s" is %s, %s', async ([search, name, place], { site }) => {
      const { results } = await find(site, search);
      const found = results.map((one) => `${one.name}, ${one.city} ${one.state}`);
      expect(found).toContain(`${name}, ${place}`);
    });

    hifldTest('a broad search returns every match once, ranked or not', async ({ site }) => {
      const { count } = await find(site, 'regional');
      const ids = new Set<number>();
      for (let page = 1; page <= Math.ceil(count / 100); page += 1) {
        const { results } = await find(site, 'regional', { page_size: 100, page });
        for (const { id } of results) ids.add(id);
      }
      expect(ids.size).toBe(count);
    });
  },
);
