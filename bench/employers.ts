import { pickFrom, randomOf } from './random.ts';

const list = (text: string) => text.trim().split(/\s*,\s*/);

/** States, most populous first. The first ones are picked most often. */
const STATES = list(`TX, CA, FL, NY, PA, IL, OH, GA, NC, MI, NJ, VA, WA, AZ, MA, TN, IN, MD, MO, WI,
  CO, MN, SC, AL, LA, KY, OR, OK, CT, UT, IA, NV, AR, MS, KS, NM, NE, ID, WV, HI, NH, ME, MT, RI, DE,
  SD, ND, AK, VT, WY, DC, PR`);
const PLACES =
  list(`Abbot, Alder, Amber, Ash, Aspen, Barrow, Bay, Beacon, Birch, Black, Blue, Briar,
  Bridge, Brook, Cedar, Chester, Clear, Cold, Copper, Crest, Crown, Dale, Deer, Dover, East, Elk, Elm,
  Fair, Fern, Forest, Fox, Glen, Gold, Granite, Green, Harbor, Haven, Hazel, High, Hollow, Iron, Juniper,
  Kings, Lake, Laurel, Linden, Long, Maple, Marsh, Meadow, Mill, Mist, North, Oak, Orchard, Pine,
  Prairie, Quarry, Raven, Red, River, Rock, Rose, Salt, Silver, South, Spring, Stone, Summer, Sun,
  Thorn, Timber, Valley, Walnut, West, White, Willow, Winter, Wolf, Wood`);
const ENDINGS = list(
  'borough, bridge, bury, creek, dale, field, ford, gate, grove, ham, haven, hurst, land, mont, mouth, point, port, ridge, side, ton, vale, view, ville, water, wick, wood',
);
const SAINTS =
  list(`Agnes, Anne, Anthony, Bernard, Catherine, Clare, David, Elizabeth, Francis, Gabriel, James,
  John, Joseph, Jude, Lucy, Luke, Margaret, Mark, Mary, Michael, Patrick, Paul, Peter, Raphael, Rita,
  Rose, Thomas, Vincent`);
const SYSTEMS =
  list(`Aldergate, Ansonia, Brightwell, Calder, Cantabria, Corvane, Ellery, Fenwick, Galen, Harrow,
  Ingram, Kestrel, Lantern, Marlowe, Northway, Orrery, Pellham, Quillon, Ramsey, Sable, Tamarind,
  Umber, Verity, Wexler, Yarrow, Zephyr`);
const KINDS =
  list(`Regional Medical Center, Community Hospital, General Hospital, Memorial Hospital, Medical Center,
  County Hospital, University Hospital, Children's Hospital, Rehabilitation Hospital,
  Behavioral Health Center, Surgical Hospital, Specialty Hospital, VA Medical Center, Health Center`);
const CLINIC_KINDS = list(
  "Family Clinic, Pediatrics, Cardiology Associates, Orthopedic Group, Women's Health, Urgent Care, Primary Care, Oncology Clinic",
);
const PROGRAMS =
  list(`Internal Medicine, Family Medicine, Emergency Medicine, General Surgery, Pediatrics, Psychiatry,
  Anesthesiology, Neurology, Radiology, Cardiology, Gastroenterology, Pulmonary and Critical Care`);
const SPECIALTIES =
  list(`General Acute Care, General Acute Care, General Acute Care, Critical Access, Psychiatric,
  Rehabilitation, Long-Term Care, Children's, Women's, Specialty, Military`);
const OWNERS =
  list(`Non-Profit, Non-Profit, Non-Profit, Proprietary, Proprietary, Government - Local,
  Government - State, Government - Federal, Government - District/Authority, Not Specified`);
const TRAUMA = ['Level I', 'Level II', 'Level III', 'Level III', 'Level IV', 'Level IV', 'Level V'];
const STREETS = list(
  'Main Street, Oak Avenue, Hospital Drive, Medical Parkway, Park Road, Lincoln Boulevard, First Avenue, Mill Lane',
);

export type BenchEmployer = ReturnType<typeof benchEmployers>[number];

/** Fictional employers, largest first. 85% are hospitals, as in a real directory. */
export function benchEmployers(count: number) {
  const random = randomOf(1);
  const pick = <T>(items: readonly T[]) => pickFrom(items, random());
  const cities = Array.from({ length: 1 + Math.ceil(count / 5) }, () => ({
    city: pick(PLACES) + pick(ENDINGS),
    state: pickFrom(STATES, random() ** 1.7),
  }));
  return Array.from({ length: count }, (_, at) => {
    const share = random();
    const type =
      share < 0.85
        ? 'hospital'
        : share < 0.91
          ? 'residency'
          : share < 0.94
            ? 'fellowship'
            : share < 0.99
              ? 'clinic'
              : 'others';
    const place = pickFrom(cities, random() ** 1.5);
    const isHospital = type === 'hospital';
    const kind = isHospital
      ? pick(KINDS)
      : type === 'clinic'
        ? pick(CLINIC_KINDS)
        : `${pick(PROGRAMS)} ${type === 'residency' ? 'Residency' : 'Fellowship'}`;
    const stem = random();
    const name =
      stem < 0.3
        ? `St. ${pick(SAINTS)}'s`
        : stem < 0.6
          ? place.city
          : stem < 0.85
            ? `${pick(SYSTEMS)} Health ${place.city}`
            : `${pick(SYSTEMS)} ${pick(PLACES)}${pick(ENDINGS)}`;
    return {
      source: 'demo',
      source_id: `bench-${at}`,
      name: `${name} ${kind}`,
      address: `${100 + Math.floor(random() * 9900)} ${pick(STREETS)}`,
      ...place,
      zip: String(10_000 + Math.floor(random() * 89_999)),
      phone: `(555) 555-${String(at % 10_000).padStart(4, '0')}`,
      employer_type: type,
      specialty: isHospital ? pick(SPECIALTIES) : null,
      ownership_type: pick(OWNERS),
      // Falls off from 1,500 to a few, like real bed counts.
      bed_count:
        isHospital && random() < 0.92
          ? 5 + Math.floor(1500 * (1 - at / count) ** 4 * (0.5 + random() / 2))
          : null,
      staff_count: random() < 0.3 ? 10 + Math.floor(9000 * (1 - at / count) ** 4) : null,
      trauma_level: isHospital && random() < 0.3 ? pick(TRAUMA) : null,
      has_helipad: isHospital ? random() < 0.5 : null,
      hospital_status: isHospital ? (random() < 0.95 ? 'Open' : 'Closed') : null,
    };
  });
}
