import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Employer } from '#contract/employers.ts';
import type { Page } from '#contract/paging.ts';
import { readDemoData } from '#server/demo/data.ts';
import { importHospitals } from '#server/features/employers/import/import.ts';
import { HOSPITAL_SEARCHES } from '#server/features/employers/testing/hospital-searches.ts';
import { buildTestApp, type TestApp } from '#server/testing/app.ts';
import { newEmployer } from '#server/testing/factories.ts';
import { HOSPITALS_FILE } from '#server/testing/hospitals-file.ts';

async function find({ app }: TestApp, search: string, more = ''): Promise<Page<Employer>> {
  const query = new URLSearchParams({ search, page_size: '3' });
  for (const [name, value] of new URLSearchParams(more)) query.set(name, value);
  return (await app.inject({ url: `/api/employers/?${query}` })).json();
}
const namesIn = ({ results }: Page<Employer>) => results.map(({ name }) => name);

describe('over the demo employers', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await buildTestApp();
    const { employers } = await readDemoData();
    for (const employer of employers) await newEmployer(server, employer);
    await newEmployer(server, { name: 'St. Fiacre Hospital', city: 'Fort Larn', state: 'OH' });
    await newEmployer(server, { name: 'MOUNT ÉLAN VA MED CTR', city: 'Larn', state: 'OH' });
    await newEmployer(server, { name: 'WELLCARE M.D. LARN', city: 'Larn', state: 'OH' });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test.each([
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
    ['van houtem grand rapids', 'Van Houtem Medical Center'],
    ['aldermoor hopital wurcester', 'Aldermoor Hospital'],
    ['hospitl houston', 'Halvorsen-Pike Medical Center'],
    ['houston hospitl', 'Halvorsen-Pike Medical Center'],
    ['hostpital huston', 'Halvorsen-Pike Medical Center'],
    ['brackenhall surgery baltimore md', 'Brackenhall University General Surgery Residency'],
  ])('"%s" is %s', async (search, name) => {
    expect(namesIn(await find(server, search))).toContain(name);
  });

  test('shows the best match first unless another order is requested', async () => {
    const bySize = namesIn(await find(server, 'penhallow'));
    expect(bySize).toEqual([
      'Penhallow Valley Medical Center',
      'Penhallow Harbor Pediatrics Residency',
    ]);
    // A name with the word comes before locations with it.
    expect(namesIn(await find(server, 'larn'))[0]).toBe('WELLCARE M.D. LARN');
    const byName = namesIn(await find(server, 'medical center', '&ordering=-name'));
    expect(byName).toEqual([...byName].sort().reverse());
  });

  test('filters narrow a search without changing its meaning', async () => {
    expect((await find(server, 'medical', '&state=FL')).count).toBe(2);
    expect((await find(server, 'penhallow', '&state=FL')).count).toBe(0);
  });

  test.each(['zzzzqq', 'zzzzqq hospital', '!!!', '&', '病院', "'", '\\', "a' | 'b:*", '()', ':*'])(
    '%j finds nothing and does no harm',
    async (search) => {
      expect((await find(server, search)).count).toBe(0);
    },
  );

  test('pages of a search do not overlap', async () => {
    const first = await find(server, 'medical', '&page_size=100');
    const pages = [];
    for (let page = 1; page <= Math.ceil(first.count / 3); page += 1) {
      pages.push(...namesIn(await find(server, 'medical', `&page=${page}`)));
    }
    expect(pages).toEqual(namesIn(first));
  });
});

describe.skipIf(HOSPITALS_FILE === '')(
  'over the HIFLD hospitals (skipped without HOSPITALS_FILE)',
  () => {
    let server: TestApp;
    beforeAll(async () => {
      server = await buildTestApp();
      const ignore = () => {};
      await importHospitals(server.deps.db, HOSPITALS_FILE, {
        onStart: ignore,
        onProgress: ignore,
        onSkip: ignore,
        signal: new AbortController().signal,
      });
    }, 60_000);
    afterAll(() => server[Symbol.asyncDispose]());

    test.each(HOSPITAL_SEARCHES)('"%s" is %s, %s', async (search, name, place) => {
      const { results } = await find(server, search);
      const found = results.map((one) => `${one.name}, ${one.city} ${one.state}`);
      expect(found).toContain(`${name}, ${place}`);
    });

    test('a broad search returns every match once, ranked or not', async () => {
      const { count } = await find(server, 'regional');
      const ids = new Set<number>();
      for (let page = 1; page <= Math.ceil(count / 100); page += 1) {
        const { results } = await find(server, 'regional', `&page_size=100&page=${page}`);
        for (const { id } of results) ids.add(id);
      }
      expect(ids.size).toBe(count);
    });
  },
);
