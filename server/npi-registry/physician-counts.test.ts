import { physicianCountEndpoints } from '#contract/endpoints/reviews.ts';
import { cityKey } from '#contract/reviews/physician-counts.ts';
import { expect, testWith } from '#server/testing/site.ts';
import { AT } from './import/row.ts';
import { full, importFile, run } from './testing/imports.ts';
import { npiOf, physician, taxonomies } from './testing/nppes-file.ts';

const INTERNAL_MEDICINE = '207R00000X';
const NEUROLOGY = '2084N0400X';

const test = testWith();

const living = (n: number, city: string, code: string, state = 'MO') =>
  physician(npiOf(n), { [AT.city]: city, [AT.state]: state, ...taxonomies([code, 'Y']) });

test('an import updates the counts, and the next response shows them', async ({ site }) => {
  const counts = async (state: string) =>
    (await site.visitor().get(physicianCountEndpoints.read, { query: { state } })).body.cities;
  expect(await counts('MO')).toEqual({});
  const file = full(
    living(1, 'SAINT LOUIS', INTERNAL_MEDICINE),
    living(2, 'St. Louis', INTERNAL_MEDICINE),
    living(3, 'ST LOUIS', NEUROLOGY),
    living(4, 'COLUMBIA', NEUROLOGY),
    living(5, 'COLUMBIA', NEUROLOGY, 'SC'),
  );
  await importFile(site, file);
  const louis = { [INTERNAL_MEDICINE]: 2, [NEUROLOGY]: 1 };
  const inMissouri = { 'ST LOUIS': louis, COLUMBIA: { [NEUROLOGY]: 1 } };
  await expect.poll(() => counts('MO')).toEqual(inMissouri);
  expect(await counts('SC')).toEqual({ COLUMBIA: { [NEUROLOGY]: 1 } });
  expect(await counts('TX')).toEqual({});
  await run(site, 'forget');
  await expect.poll(() => counts('MO')).toEqual({});
});

const ODD = ['?state=TX&state=MO', '?state=TX&city=HOUSTON', '?state=TX&title=Neurologist'];
const WRONG = ['', '?state=', '?state=tx', '?state=TEX', ...ODD];
test.for(WRONG)('rejects physician-counts/%s', async (query, { site }) => {
  const answer = await site.app.inject(`/api/physician-counts/${query}`);
  expect(answer.statusCode).toBe(400);
});

test('cities are found in any spelling', () => {
  for (const city of ['St. Louis', 'SAINT LOUIS', 'st louis '])
    expect(cityKey(city)).toBe('ST LOUIS');
  expect(cityKey("Coeur d'Alene")).toBe(cityKey('COEUR DALENE'));
  expect(cityKey('Cañon City')).toBe('CANON CITY');
  expect(cityKey('Winston-Salem')).toBe('WINSTON SALEM');
});
