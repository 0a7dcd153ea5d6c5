import { expect, test } from 'vitest';
import { SPECIALTIES, SPECIALTY_NAMES } from '../specialties.ts';
import { isLinear } from '../testing/linear-time.ts';
import { specialtiesMatching, specialtyOfTitle } from './specialty-of-title.ts';

test('each specialty has a unique name and unique taxonomy codes', () => {
  expect(SPECIALTIES.length).toBeGreaterThan(130);
  expect(SPECIALTY_NAMES).toEqual([...new Set(SPECIALTY_NAMES)]);
  const codes = SPECIALTIES.flatMap((one) => one.codes);
  expect(codes).toEqual([...new Set(codes)]);
  for (const code of codes) expect(code).toMatch(/^20[0-9A-Z]{7}X$/);
  for (const one of SPECIALTIES) expect(one.codes).not.toEqual([]);
});

test('no alias is listed under two specialties', () => {
  const aliases = SPECIALTIES.flatMap((one) => one.aliases);
  expect(aliases).toEqual([...new Set(aliases)]);
});

test.each(SPECIALTIES)('a title with $name or one of its aliases has it', ({ name, aliases }) => {
  for (const phrase of [name, ...aliases]) {
    expect([phrase, specialtyOfTitle(`Chief of ${phrase}`)]).toEqual([phrase, name]);
  }
});

test.each([
  ['Hospitalist', 'Hospital Medicine'],
  ['Locum Tenens Hospitalist', 'Hospital Medicine'],
  ['OB/GYN Hospitalist', 'Obstetrics & Gynecology'],
  ['Pediatric Hospitalist, Clinical Faculty', 'Pediatrics'],
  ['Pediatric Emergency Physician', 'Pediatric Emergency Medicine'],
  ['Medical Director, Emergency Department', 'Emergency Medicine'],
  ['Interventional Cardiologist', 'Interventional Cardiology'],
  ['Cardiologist and Intensivist', 'Cardiovascular Disease'],
  ['Pulmonary and Critical Care Fellow', 'Pulmonary Disease'],
  ['Internal Medicine Resident, PGY-3', 'Internal Medicine'],
  ['Family Medicine Resident', 'Family Medicine'],
  ['Medicine-Pediatrics Resident', 'Internal Medicine'],
  ['Child and Adolescent Psychiatry Fellow', 'Child & Adolescent Psychiatry'],
  ['Hematologist/Oncologist', 'Hematology & Oncology'],
  ['PEDIÁTRICIAN', 'Pediatrics'],
  ['Attending Physician', null],
  ['Chief Resident', null],
  ['Urgent Care Physician', null],
  ['Intern', null],
  ['🩺', null],
  ['', null],
])('%s has the specialty %s', (title, specialty) => {
  expect(specialtyOfTitle(title)).toBe(specialty);
});

test('takes time linear in the length of the title', () => {
  const read = (length: number) => {
    const title = 'internal '.repeat(length / 9);
    // Long enough for a clock that ticks every few milliseconds.
    return () => {
      for (let run = 0; run < 40; run += 1) specialtyOfTitle(title);
    };
  };
  expect(isLinear({ short: read(22_500), long: read(90_000), slackMs: 0 })).toBe(true);
});

test('specialties are searched by word prefixes in names and aliases', () => {
  expect(specialtiesMatching('cardiolog')).toContain('Cardiovascular Disease');
  expect(specialtiesMatching('hospitalist')).toContain('Hospital Medicine');
  expect(specialtiesMatching('PED emer')).toEqual(['Pediatric Emergency Medicine']);
  expect(specialtiesMatching('xylophone')).toEqual([]);
  expect(specialtiesMatching('')).toEqual(SPECIALTY_NAMES);
});
