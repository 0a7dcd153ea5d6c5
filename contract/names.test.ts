import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { titleCase } from './names.ts';

test.each([
  // Saints, possessives, Irish and Scottish names
  ["ST. MARY'S ICU OF NYC", "St. Mary's ICU of NYC"],
  ["O'CONNOR HOSPITAL", "O'Connor Hospital"],
  ["TOHONO O'ODHAM NATION", "Tohono O'odham Nation"],
  ["HO'OLA LAHUI", "Ho'ola Lahui"],
  ['BETH-ISRAEL CHILDREN’S', 'Beth-Israel Children’s'],
  ['ST.CLAIR HOSPITAL', 'St.Clair Hospital'],
  ['MCLEOD MEDICAL CENTER', 'McLeod Medical Center'],
  ['MCHS NEW PRAGUE', 'MCHS New Prague'],
  // Small words
  ['THE CHRIST HOSPITAL', 'The Christ Hospital'],
  ['SHORE CTR AT DORCHESTER - THE ANNEX', 'Shore Ctr at Dorchester - The Annex'],
  ['HOSPITAL DE LA CONCEPCION', 'Hospital de la Concepcion'],
  ['SCRIPPS MEMORIAL HOSPITAL LA JOLLA', 'Scripps Memorial Hospital La Jolla'],
  ['HOSPITAL DEL MAESTRO', 'Hospital del Maestro'],
  ['DES MOINES VA MEDICAL CENTER', 'Des Moines VA Medical Center'],
  ['SOUTHWELL MEDICAL - A CAMPUS OF TRMC', 'Southwell Medical - A Campus of TRMC'],
  ['HOLY CROSS HOSPITAL A DIV OF TAOS', 'Holy Cross Hospital a Div of Taos'],
  ['VA MEDICAL CENTER - MARION, IN', 'VA Medical Center - Marion, IN'],
  // Initials, numbers, numerals, brackets
  ['J. W. RUBY MEMORIAL', 'J. W. Ruby Memorial'],
  ['J W RUBY MEMORIAL', 'J W Ruby Memorial'],
  ['A.B. CLINIC', 'A.B. Clinic'],
  ['A H C BEHAVIORAL HEALTH', 'A H C Behavioral Health'],
  ['TEXAS A&M CLINIC', 'Texas A&M Clinic'],
  ['30TH MEDICAL GROUP - TMC 4', '30th Medical Group - TMC 4'],
  ['NOLAND HOSPITAL DOTHAN II, LLC', 'Noland Hospital Dothan II, LLC'],
  ['VA HEALTH CARE CENTER (HCC)', 'VA Health Care Center (HCC)'],
  // Brand spellings, and abbreviations that are in no list
  ['umass memorial, inc.', 'UMass Memorial, Inc.'],
  ['ADVENTHEALTH DELAND', 'AdventHealth DeLand'],
  ['UPMC PRESBYTERIAN', 'UPMC Presbyterian'],
  ['GNHR CLINIC', 'GNHR Clinic'],
  ['UP HEALTH SYSTEM PORTAGE', 'UP Health System Portage'],
  ['ED FRASER MEMORIAL HOSPITAL', 'Ed Fraser Memorial Hospital'],
  ['LAC QUI PARLE HOSPITAL', 'Lac qui Parle Hospital'],
  ['ANMC PRIMARY CARE', 'ANMC Primary Care'],
  ['ARMC - BURLINGTON', 'ARMC - Burlington'],
  ['NS/LIJ HS HUNTINGTON HOSPITAL', 'NS/LIJ HS Huntington Hospital'],
  ['AHS HOSPITAL CORP', 'AHS Hospital Corp'],
  ['USPHS HOSPITAL - ROSEBUD', 'USPHS Hospital - Rosebud'],
  ['SIHF ARCHVIEW MEDICAL CENTER', 'SIHF Archview Medical Center'],
  ['LLUMC MURRIETA', 'LLUMC Murrieta'],
  ['COLUMBIA MO VA MEDICAL CENTER', 'Columbia MO VA Medical Center'],
  ['HUDSON HOSPITAL OPCO, LLC', 'Hudson Hospital OpCo, LLC'],
  ['SAC HEALTH SYSTEM', 'SAC Health System'],
  ['TRIMARK - SAC CITY', 'Trimark - Sac City'],
  ['MAT-SU REGIONAL MEDICAL CENTER', 'Mat-Su Regional Medical Center'],
  ['PE ELL HEALTH CLINIC', 'Pe Ell Health Clinic'],
  // Already in mixed case
  ['McLean Hospital', 'McLean Hospital'],
  ['eCare Clinic of NEOMED', 'eCare Clinic of NEOMED'],
  ['mercy hospital', 'Mercy Hospital'],
  // Non-English letters
  ['ÉLAN CLINIC II', 'Élan Clinic II'],
  ['', ''],
])('the employer %s', (name, cased) => {
  expect(titleCase(name)).toBe(cased);
});

test.each([
  ['icu medical director', 'ICU Medical Director'],
  ['ob/gyn physician', 'OB/GYN Physician'],
  ['OB-GYN PHYSICIAN', 'OB-GYN Physician'],
  ['pgy-2 resident', 'PGY-2 Resident'],
  ['pgy3 resident', 'PGY3 Resident'],
  ['er physician', 'ER Physician'],
  ['ED ATTENDING', 'ED Attending'],
  ['pm&r attending', 'PM&R Attending'],
  ['professor of medicine', 'Professor of Medicine'],
  ['md/phd fellow', 'MD/PhD Fellow'],
  ['hematologist/oncologist', 'Hematologist/Oncologist'],
  ['interventional cardiologist (ep)', 'Interventional Cardiologist (EP)'],
])('the position %s', (title, cased) => {
  expect(titleCase(title)).toBe(cased);
});

const fixture = path.join(import.meta.dirname, 'fixtures/hospital-names.txt');
const hospitals = readFileSync(fixture, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split(' | '));

test('300 names of the HIFLD hospitals file', () => {
  expect(hospitals).toHaveLength(300);
  expect(hospitals.map(([name = '']) => [name, titleCase(name)])).toEqual(hospitals);
});

test('changes only the case of letters, and is idempotent', () => {
  const word = fc.constantFrom(...hospitals.flatMap(([name = '', cased = '']) => [name, cased]));
  const text = fc.oneof(word, fc.string({ unit: 'grapheme-ascii' }));
  fc.assert(
    fc.property(text, (name) => {
      const cased = titleCase(name);
      expect(cased.toLowerCase()).toBe(name.toLowerCase());
      expect(titleCase(cased)).toBe(cased);
    }),
  );
});
