import { expect, newSite, test } from '#server/testing/site.ts';
import { curbside, expectRefusal } from './testing/curbside.ts';

test('submitted, merge, rename, retype, and close', async () => {
  const site = await newSite();
  const run = (...args: string[]) => curbside(site, ['employers', ...args]);
  const hospital = await site.employer({ name: 'PENHALLOW VALLEY HOSPITAL' });
  const fields = { source: 'user', source_id: null, employer_type: 'others' };
  expect((await run('submitted')).output).toBe('No employer has been added by a doctor.\n');
  const added = await site.employer({ ...fields, name: 'Penhalow Valley' });
  expect((await run('submitted')).output).toBe(
    `${added}  Penhalow Valley (0 reviews)\n    like ${hospital}  Penhallow Valley Hospital, Springfield IL\n`,
  );

  const merged = { code: 0, output: `${hospital} PENHALLOW VALLEY HOSPITAL: 0 reviews moved\n` };
  expect(await run('merge', String(added), String(hospital))).toMatchObject(merged);
  const { output } = await run('rename', String(hospital), 'Penhallow Clinic');
  expect(output).toBe(`${hospital} Penhallow Clinic: hospital\n`);
  expect((await run('alias', String(hospital), 'PVH')).output).toContain('also PVH\n');
  await run('alias', String(hospital), 'p.v.h.');
  expect(await site.rows('employers', { id: hospital })).toMatchObject([{ aliases: ['PVH'] }]);
  expect((await run('retype', String(hospital), 'clinic')).output).toContain(': clinic\n');
  expect((await run('close', String(hospital))).output).toContain(': clinic, closed\n');
  const acts = await site.rows('audit_log', {}, ['actor', 'action']);
  expect(acts.map(({ actor, action }) => `${actor} ${action}`).sort()).toEqual([
    ...Array(2).fill('cli employers.alias'),
    ...Array(3).fill('cli employers.curate'),
    'cli employers.merge',
  ]);
});

/** Ids that no employer has. */
const [ONE, OTHER] = ['2000000001', '2000000002'];

test.for([
  [['merge', ONE, 'x'], 'x is not the id of an employer'],
  [['merge', ONE, ONE], 'An employer cannot be merged into itself'],
  [['merge', ONE, OTHER], 'there is no such employer'],
  [['rename', ONE, 'Tarn'], 'there is no such employer'],
  [['rename', ONE, ''], 'Please enter a name'],
  [['alias', ONE, 'PVH'], 'there is no such employer'],
  [['alias', ONE, ''], 'Please enter a name'],
  [['retype', ONE, 'ward'], 'Unknown employer type'],
] as const)('employers %j fails with one line', async ([args, fault], { site }) => {
  await expectRefusal(curbside(site, ['employers', ...args]), fault);
});
