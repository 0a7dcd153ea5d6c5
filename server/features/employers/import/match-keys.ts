/** What tells whether two rows are about the same employer. */
export interface Identity {
  readonly name?: string | null;
  readonly source_name?: string | null;
  readonly alt_name?: string | null;
  readonly address?: string | null;
  readonly city?: string | null;
  readonly state?: string | null;
  readonly zip?: string | null;
  readonly phone?: string | null;
}

/** Spellings of words in addresses (USPS Publication 28, appendix C). An empty one is left out. */
const ADDRESS_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ first: '1st', second: '2nd', third: '3rd', fourth: '4th', fifth: '5th', sixth: '6th' },
    ...{ seventh: '7th', eighth: '8th', ninth: '9th', tenth: '10th', eleventh: '11th' },
    ...{ twelfth: '12th', nineteenth: '19th', twentieth: '20th', saint: 'st', mount: 'mt' },
    ...{ fort: 'ft', state: '', county: '', us: '', u: '', suite: '', room: '', one: '1' },
  }),
);
/** Kinds of streets and directions, which one file has and the other lacks. */
const STREETS = new Set(
  'street st avenue ave av road rd drive dr boulevard blvd lane ln highway hwy parkway pkwy place pl court ct circle cir square sq route rte terrace ter trail trl way north south east west n s e w ne nw se sw northeast northwest southeast southwest ste'.split(
    ' ',
  ),
);
const POST_BOX = /\b(?:p\.? ?o\.?|post office)\s*(?:box|drawer).*$/;

/** Words of names that say little about which employer it is. */
const COMMON = new Set(
  'hospital hospitals center centre medical health healthcare system clinic clinics campus care district authority services the inc llc of and at corp corporation lp'.split(
    ' ',
  ),
);
const NAME_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({ st: 'saint', mt: 'mount', ft: 'fort', childrens: 'children', womens: 'women' }),
);

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}'’.]/gu, '')
    .match(/[a-z0-9]+/g) ?? [];

const nameWordsOf = (text: string) => wordsOf(text).map((word) => NAME_WORDS.get(word) ?? word);
const joinedWords = (text: string) => nameWordsOf(text).join('');

/** The house number and the first word of the street. */
function addressKey(address: string): string {
  const text = address.toLowerCase().replace(POST_BOX, '');
  const [first = ''] = text.split(',');
  const words = wordsOf(/^\s*\d/.test(first) ? first : text)
    .map((word) => ADDRESS_WORDS.get(word) ?? word)
    .filter(Boolean);
  const number = words.find((word) => /^\d+$/.test(word));
  const street = words.filter((word) => word !== number && !STREETS.has(word));
  return number === undefined ? street.join('') : `${number} ${street[0] ?? ''}`;
}

const phoneKey = (phone: string | null | undefined) => {
  const digits = (phone ?? '').replace(/\D/g, '').slice(-10);
  return digits.length === 10 ? digits : null;
};

const namesOf = ({ name, source_name, alt_name }: Identity) =>
  [name, source_name, alt_name].filter((one) => typeof one === 'string');

const coreOf = (name: string): ReadonlySet<string> => {
  const words = nameWordsOf(name);
  const core = words.filter((word) => !COMMON.has(word));
  return new Set(core.length > 0 ? core : words);
};

/** Two employers can only be the same if they share one of these. */
export function keysOf(one: Identity): string[] {
  const { address, city, state, zip } = one;
  const phone = phoneKey(one.phone);
  const places = placesOf(one);
  const keys = [
    ...(phone ? [`p${phone}`] : []),
    ...(address ? places.map((place) => `a${addressKey(address)} ${place}`) : []),
    ...namesOf(one).flatMap((name) =>
      places.map((place) => `n${[...coreOf(name)].join('')} ${place}`),
    ),
  ];
  return city || zip ? [...new Set(keys.map((key) => `${state ?? ''} ${key}`))] : [];
}

const placesOf = ({ city, zip }: Identity) => [
  ...(zip ? [zip.slice(0, 5)] : []),
  ...(city ? [joinedWords(city)] : []),
];

/** How much speaks for two rows being about the same employer. */
export interface Evidence {
  /** How many of phone, address, and name agree, the last two with the ZIP code or the city. */
  readonly count: number;
  readonly hasPhone: boolean;
  readonly hasAddress: boolean;
  readonly hasName: boolean;
  /** The names are equal, not only similar. */
  readonly isNamesake: boolean;
}

export function evidenceOf(one: Identity, other: Identity): Evidence {
  const places = placesOf(one);
  const isNear =
    one.state === other.state && placesOf(other).some((place) => places.includes(place));
  const phone = phoneKey(one.phone);
  const hasPhone = one.state === other.state && phone !== null && phone === phoneKey(other.phone);
  const hasAddress =
    isNear &&
    Boolean(one.address && other.address) &&
    addressKey(one.address ?? '') === addressKey(other.address ?? '');
  const names = [namesOf(one), namesOf(other)] as const;
  const isNamesake =
    isNear && names[0].some((a) => names[1].some((b) => joinedWords(a) === joinedWords(b)));
  const hasName =
    isNamesake || (isNear && names[0].some((a) => names[1].some((b) => areSimilar(a, b))));
  const count = Number(hasPhone) + Number(hasAddress) + Number(hasName);
  return { count, hasPhone, hasAddress, hasName, isNamesake };
}

/** Most words are the same, or all of the shorter name. */
function areSimilar(name: string, other: string): boolean {
  const [one, two] = [coreOf(name), coreOf(other)];
  const shared = [...one].filter((word) => two.has(word)).length;
  const smaller = Math.min(one.size, two.size);
  return shared / (one.size + two.size - shared) >= 0.6 || (shared === smaller && smaller >= 2);
}
