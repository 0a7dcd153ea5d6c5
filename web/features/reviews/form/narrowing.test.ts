import { expect, test } from 'vitest';
import { FEW_PHYSICIANS, MANY_PHYSICIANS, PHYSICIANS_PER_YEAR } from '#contract/limits.ts';
import { type AboutAuthor, broaderTitle, narrowingOf } from './narrowing-notice.tsx';

const NEUROLOGY = '2084N0400X';
const TRAINEES = '390200000X';

const about: AboutAuthor = {
  ...{ city: 'Saint Louis', state: 'MO', position_title: 'Neurologist' },
  ...{ specialty: '', start_year: '', end_year: '' },
};
const counts = (physicians: number) => ({
  cities: { 'ST LOUIS': { [NEUROLOGY]: physicians, '207R00000X': 900, [TRAINEES]: 5000 } },
});
const gradeOf = (physicians: number, changes: Partial<AboutAuthor> = {}) =>
  narrowingOf({ ...about, ...changes }, counts(physicians)).grade;

test('grades by the number of physicians with the specialty in the city', () => {
  expect(gradeOf(MANY_PHYSICIANS)).toBe('many');
  expect(gradeOf(MANY_PHYSICIANS - 1)).toBe('few');
  expect(gradeOf(FEW_PHYSICIANS)).toBe('few');
  expect(gradeOf(FEW_PHYSICIANS - 1)).toBe('one');
  expect(gradeOf(0)).toBe('one');
});

test('each year narrows it down further', () => {
  const enough = MANY_PHYSICIANS * PHYSICIANS_PER_YEAR;
  expect(gradeOf(enough, { start_year: '2019' })).toBe('many');
  expect(gradeOf(enough - 1, { start_year: '2019' })).toBe('few');
  const years = { start_year: '2019', end_year: '2022' };
  expect(gradeOf(enough, years)).toBe('one');
  expect(gradeOf(enough * PHYSICIANS_PER_YEAR, years)).toBe('many');
});

test('a chosen specialty takes precedence over that of the title', () => {
  expect(gradeOf(900, { specialty: 'Dermatology' })).toBe('one');
});

test('without a specialty, counts all physicians in the city except trainees', () => {
  const author = { ...about, position_title: 'Attending Physician' };
  const { grade, reason } = narrowingOf(author, counts(1));
  expect(grade).toBe('many');
  expect(reason).toMatch(/^The registry lists 901 physicians in Saint Louis, MO\. /);
});

test('says what it counted', () => {
  expect(narrowingOf({ ...about, start_year: '2019' }, counts(1)).reason).toBe(
    'The registry lists 1 Neurology physician in Saint Louis, MO. About 1 in 10 started in the same year. There are fewer at any one employer.',
  );
  const none = /^The registry lists no Neurology physicians in /;
  expect(narrowingOf(about, counts(0)).reason).toMatch(none);
});

const FEW = ['Chief of Neurology', 'Medical Director', 'Department Chair', 'Chief Resident'];
test.each(FEW)('few people anywhere have the title %s', (position_title) => {
  expect(gradeOf(900, { position_title })).toBe('one');
  expect(narrowingOf({ ...about, position_title, city: null }, null).grade).toBe('one');
});

const NECK = ['Head and Neck Surgeon', 'Head & Neck Surgeon'];
test.each(NECK)('%s is a specialty, not the head of a department', (position_title) => {
  expect(gradeOf(900, { position_title, specialty: 'Neurology' })).toBe('many');
});

test.each([
  [{ city: null }, counts(900), 'We do not know which city'],
  [{ city: 'Ladue' }, counts(900), 'We have no count of physicians in Ladue, MO'],
  [{}, { cities: {} }, 'We have no count'],
  [{}, null, 'could not be loaded'],
  [{ position_title: 'PGY-2 Resident' }, counts(900), 'residents and fellows'],
])('says so if the number is unknown: %o', (changes, known, reason) => {
  const found = narrowingOf({ ...about, ...changes }, known);
  expect(found.grade).toBe('unknown');
  expect(found.reason).toContain(reason);
});

test('a broader title names neither a specialty nor a leadership role', () => {
  expect(broaderTitle('Interventional Cardiologist')).toBe('Attending Physician');
  expect(broaderTitle('Chief of Surgery')).toBe('Attending Physician');
  expect(broaderTitle('Cardiology Fellow')).toBe('Fellow');
  expect(broaderTitle('Chief Resident')).toBe('Resident Physician');
  for (const title of ['attending physician ', 'Fellow', '  '])
    expect(broaderTitle(title)).toBe(null);
});
