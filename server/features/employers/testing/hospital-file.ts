import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';

/** Fictional hospitals in the HIFLD format: 34 columns, UTF-8 with a byte order mark. */
export const SAMPLE_FILE = path.resolve(import.meta.dirname, '../import/fixtures/hifld-sample.csv');

const words = (list: string) => list.split(' ');
const PLACES = words(
  'ALDER AMBER BARROW BRIAR CEDAR COPPER DOVER ELDER FENWICK GALLOW HARROW INGLE JUNIPER KESTREL ' +
    'LARCH MARLOW NETTLE ORCHARD PELHAM QUARRY ROWAN SABLE TANSY UMBER VESPER WEXLEY YARROW ZEPHYR',
);
const ENDINGS = words('BOROUGH BRIDGE DALE FIELD FORD GATE HAVEN MERE MONT PORT RIDGE WICK');
const KINDS = [
  'COMMUNITY HOSPITAL',
  'COUNTY HOSPITAL',
  'GENERAL HOSPITAL',
  'HEALTH CENTER',
  'HOSPITAL AND CLINICS',
  'MEDICAL CENTER',
  'MEMORIAL HOSPITAL',
  'REGIONAL MEDICAL CENTER',
  "ST. CLARE'S HOSPITAL",
  "ST. LUKE'S HOSPITAL",
  'SURGICAL HOSPITAL',
  'VALLEY HOSPITAL',
  'VETERANS HOSPITAL',
  "WOMEN'S HOSPITAL",
];
const STATES = words('AL CA CO FL GA IL MA MI MN NC NJ NY OH OR PA TX UT VA WA WI');
/** A town has another hospital after so many. */
export const TOWNS = PLACES.length * ENDINGS.length;
/** Names are unique up to this number of hospitals, slightly more than the HIFLD file has. */
const MOST = TOWNS * KINDS.length * 2;

const at = (list: readonly string[], place: number) => list[place % list.length] ?? '';
const quoted = (field: string) => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/** The name of the n-th fictional hospital, as spelled in the file. */
export function hospitalName(number: number): string {
  const town = at(PLACES, number) + at(ENDINGS, Math.floor(number / PLACES.length));
  const kind = Math.floor(number / TOWNS);
  return `${kind >= KINDS.length ? 'NEW ' : ''}${town} ${at(KINDS, kind)}`;
}

/** Writes fictional hospitals with the other columns from the sample. Returns the file. */
export function writeHospitalFile(folder: string, rows: number): string {
  if (rows > MOST) throw new RangeError(`only ${MOST} hospitals have unique names`);
  const sample = readFileSync(SAMPLE_FILE, 'utf8');
  const header = sample.slice(0, sample.indexOf('\n'));
  const templates = parse<Record<string, string>>(sample, { bom: true, columns: true });
  const lines = Array.from({ length: rows }, (_, number) => {
    const name = hospitalName(number);
    const fields = {
      ...templates[number % templates.length],
      OBJECTID: String(number + 1),
      ID: String(number + 1).padStart(10, '0'),
      NAME: name,
      CITY: name.replace(/^NEW /, '').split(' ')[0] ?? '',
      STATE: at(STATES, number),
      ZIP: String(10_000 + number),
    };
    return Object.values(fields).map(quoted).join(',');
  });
  const file = path.join(folder, 'hospitals.csv');
  writeFileSync(file, `${[header, ...lines].join('\n')}\n`);
  return file;
}
