import { expect, test } from 'vitest';
import { buildTestApp } from '#server/testing/app.ts';
import { newEmployer } from '#server/testing/factories.ts';
import { curbside } from './testing/curbside.ts';

test('submitted, merge, rename, retype, and close', async () => {
  await using server = await buildTestApp();
  const run = (...args: string[]) => curbside(server, ['employers', ...args]);
  const hospital = await newEmployer(server, { name: 'PENHALLOW VALLEY HOSPITAL' });
  const fields = { source: 'user', source_id: null, employer_type: 'others' };
  expect((await run('submitted')).output).toBe('No employer has been added by a doctor.\n');
  const added = await newEmployer(server, { ...fields, name: 'Penhalow Valley' });
  expect((await run('submitted')).output).toBe(
    `${added}  Penhalow Valley (0 reviews)\n    like ${hospital}  Penhallow Valley Hospital, Springfield IL\n`,
  );

  expect(await run('merge', String(added), String(hospital))).toMatchObject({
    code: 0,
    output: `${hospital} PENHALLOW VALLEY HOSPITAL: 0 reviews moved\n`,
  });
  expect((await run('rename', String(hospital), 'Penhallow Clinic')).output).toBe(
    `${hospital} Penhallow Clinic: hospital\n`,
  );
  expect((await run('retype', String(hospital), 'clinic')).output).toContain(': clinic\n');
  expect((await run('close', String(hospital))).output).toContain(': clinic, closed\n');
  const acts = await server.deps.db.selectFrom('audit_log').select(['actor', 'action']).execute();
  expect(acts.map(({ actor, action }) => `${actor} ${action}`).sort()).toEqual([
    'cli employers.curate',
    'cli employers.curate',
    'cli employers.curate',
    'cli employers.merge',
  ]);
});

test.each([
  [['merge', '1', 'x'], 'x is not the id of an employer'],
  [['merge', '1', '1'], 'An employer cannot be merged into itself'],
  [['merge', '998', '999'], 'there is no such employer'],
  [['rename', '999', 'Tarn'], 'there is no such employer'],
  [['rename', '999', ''], 'Please enter a name'],
  [['retype', '999', 'ward'], 'Unknown employer type'],
])('employers %j fails with one line', async (args, fault) => {
  await using server = await buildTestApp();
  const { code, errors } = await curbside(server, ['employers', ...args]);
  expect({ code, errors }).toEqual({ code: 1, errors: `curbside: ${fault}\n` });
});
