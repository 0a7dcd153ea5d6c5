import { expect, test } from '#server/testing/site.ts';
import { curbside, expectRefusal } from './testing/curbside.ts';

test('gives an employer another name, once', async ({ site }) => {
  const id = await site.employer({ name: 'PENHALLOW VALLEY HOSPITAL' });
  const alias = (name: string) => curbside(site, ['employers', 'alias', String(id), name]);
  expect((await alias('PVH')).output).toContain('also PVH\n');
  await alias('p.v.h.');
  expect(await site.rows('employers', { id })).toMatchObject([{ aliases: ['PVH'] }]);
  const acts = await site.rows('audit_log', { subject: String(id) }, ['actor', 'action']);
  expect(acts).toEqual(Array(2).fill({ actor: 'cli', action: 'employers.alias' }));
});

/** An id that no employer has. */
const NONE = '2000000001';

test.for([
  [['alias', 'x', 'PVH'], 'x is not the id of an employer'],
  [['alias', NONE, 'PVH'], 'there is no such employer'],
  [['alias', NONE, ''], 'Please enter a name'],
] as const)('employers %j fails with one line', async ([args, fault], { site }) => {
  await expectRefusal(curbside(site, ['employers', ...args]), fault);
});
