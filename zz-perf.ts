import { openDatabase } from '#server/db/open.ts';
import { listReviews, reviewFilterOptions } from '#server/features/reviews/service.ts';
const { db, pool, close } = openDatabase({ connectionString: process.env['DATABASE_URL'] }, () => {});
const kept = new Map<string, Promise<unknown>>();
let cold = 0;
const cache = {
  changed() {},
  remember<T>(_t: unknown, key: string, compute: () => Promise<T>): Promise<T> {
    if (!kept.has(key)) { const t = performance.now(); kept.set(key, compute().finally(() => { cold = Math.max(cold, performance.now() - t); })); }
    return kept.get(key) as Promise<T>;
  },
};
const deps = { db, cache: cache as never, clock: () => new Date() };
const base = { page: 1, page_size: 20 };
const { rows: [one] } = await pool.query("select employer_city as city, employer_state as state from reviews group by 1,2 order by count(*) desc limit 1");
const filters: Record<string, object> = {
  none: {}, state: { state: 'TX' }, smallstate: { state: 'WY' }, city: { city: one.city }, cities: { city: `${one.city},Oakton,Springhaven` },
  position: { position_title: 'Hospitalist' }, min4: { min_rating: 4 }, min5: { min_rating: 5 }, rec: { would_recommend: 'true' }, notrec: { would_recommend: 'false' },
  current: { is_current_employee: 'true' }, former: { is_current_employee: 'false' },
  'state+min4': { state: 'CA', min_rating: 4 }, 'position+state': { position_title: 'Hospitalist', state: 'CA' },
  'min5+notrec': { min_rating: 5, would_recommend: 'false' }, 'min4+notrec+former': { min_rating: 4, would_recommend: 'false', is_current_employee: 'false' },
  'WY+min5+former': { state: 'WY', min_rating: 5, is_current_employee: 'false' },
};
const orders = ['-created_at', 'created_at', '-overall_rating', 'overall_rating', '-helpful'];
const searches = (process.env['SEARCHES'] ?? '').split(',').filter(Boolean);
async function measure(label: string, q: object) {
  const out: string[] = [];
  for (const page of [1, 500]) {
    kept.clear(); cold = 0;
    const t0 = performance.now();
    const { count } = await listReviews(deps, { ...base, ...q, page } as never);
    const first = performance.now() - t0; const c = cold;
    if (page === 500 && count < 9980) { out.push('-'); continue; }
    let best = 1e9;
    for (let i = 0; i < 7; i++) { const t = performance.now(); await listReviews(deps, { ...base, ...q, page } as never); best = Math.min(best, performance.now() - t); }
    out.push(`${best.toFixed(1)} (first ${first.toFixed(0)}, counted in ${c.toFixed(0)}, n ${count})`);
  }
  console.log(label.padEnd(40), out.join(' | '));
}
if (process.argv[2] === 'filters') for (const [n, f] of Object.entries(filters)) for (const o of orders) await measure(`${n} ${o}`, { ...f, ordering: o });
if (process.argv[2] === 'options') for (let i = 0; i < 3; i++) { kept.clear(); const t = performance.now(); await reviewFilterOptions(deps as never); console.log('options', (performance.now() - t).toFixed(1)); }
for (const s of searches) { await measure(`search ${s}`, { search: s }); if (process.argv[2] === 'all') await measure(`search ${s} -created_at`, { search: s, ordering: '-created_at' }); if (process.argv[2] === 'all') await measure(`search ${s} -overall`, { search: s, ordering: '-overall_rating' }); }
await close();
