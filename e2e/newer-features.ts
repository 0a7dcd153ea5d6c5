import { createRequire } from 'node:module';
import type { CompatData, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data';
import { OLDEST_BROWSERS } from '#contract/browsers.ts';

/** What is newer than the oldest browsers of the promise, by MDN's browser-compat-data. */

const bcd: CompatData = createRequire(import.meta.url)('@mdn/browser-compat-data');

const { Safari, Firefox, Chrome, Edge } = OLDEST_BROWSERS;
const PROMISED = [
  ['safari', String(Safari)],
  ['firefox', String(Firefox)],
  ['chrome', String(Chrome)],
  ['edge', String(Edge)],
] as const;

const isAtMost = (version: string, limit: string) =>
  version.replace('≤', '').localeCompare(limit, 'en', { numeric: true }) <= 0;

function isIn(statement: SimpleSupportStatement, oldest: string, isPrefixed: boolean): boolean {
  const { version_added: added, version_removed: removed, flags, prefix } = statement;
  if (typeof added !== 'string' || added === 'preview' || flags) return false;
  if (prefix && !isPrefixed) return false;
  return isAtMost(added, oldest) && !(typeof removed === 'string' && isAtMost(removed, oldest));
}

/** False for what the data does not know. `isPrefixed`: it is also there with a prefix. */
function isNewer(feature: Identifier | undefined, isPrefixed = false): boolean {
  const support = feature?.__compat?.support;
  if (!support) return false;
  return PROMISED.some(([browser, oldest]) => {
    const statements = [support[browser] ?? []].flat();
    return !statements.some((statement) => isIn(statement, oldest, isPrefixed));
  });
}

const childrenOf = (feature: Identifier = {}): [string, Identifier][] =>
  Object.entries(feature).filter(([name]) => name !== '__compat') as [string, Identifier][];

const builtins = bcd.javascript['builtins'] ?? {};

/** Interfaces and built-in objects, by name. */
const objects = new Map([...childrenOf(bcd.api), ...childrenOf(builtins)]);
for (const [name, object] of childrenOf(builtins['Intl'])) objects.set(`Intl.${name}`, object);
for (const [name, object] of childrenOf(bcd.api['Window']))
  if (!objects.has(name)) objects.set(name, object);

const STATIC = '_static';

/** Each object's newer members, without members of what is newer as a whole. */
const newerMembers = [...objects].flatMap(([object, feature]) =>
  childrenOf(feature)
    .filter(([, member]) => isNewer(member))
    .map(([member]) => ({ object, member: member.replace(STATIC, '') })),
);
export const newerObjects = new Set(
  [...objects].filter(([, feature]) => isNewer(feature)).map(([name]) => name),
);

const known = [...objects.values()].flatMap(childrenOf);
const isOldSomewhere = new Set(
  known.filter(([, member]) => !isNewer(member)).map(([name]) => name.replace(STATIC, '')),
);
/** Whose members scripts use without naming the object. Others share names with the app's own. */
const OF_PAGES =
  /^(?:AbortSignal|Blob|Clipboard|Crypto|Document|DOMTokenList|Element|Event|FormData|Headers|HTML(?:Button|Dialog|Form|Input|Select|TextArea|)Element|LockManager|Navigator|Node|Performance|Re(?:quest|sponse)|SubmitEvent|URL|URLSearchParams|Window)$/;
const newerOfPages = newerMembers.filter(
  ({ object }) => OF_PAGES.test(object) || object in builtins,
);
/** Names of members that no object had before. */
export const newerNames = new Set(
  newerOfPages.map(({ member }) => member).filter((name) => !isOldSomewhere.has(name)),
);
/** Where browsers have what is newer: `AbortSignal.any`, `Array.prototype.with`. */
export const newerPlaces = [
  ...newerObjects,
  ...newerOfPages.flatMap(({ object, member }) => [
    `${object}.${member}`,
    `${object}.prototype.${member}`,
  ]),
];
const memberKeys = new Set(newerMembers.map(({ object, member }) => `${object}.${member}`));
export const isNewerMember = (object: string, member: string) =>
  memberKeys.has(`${object}.${member}`);

const attributes = [
  ...childrenOf(bcd.html['global_attributes']),
  ...['a', 'button', 'details', 'dialog', 'form', 'input', 'select', 'textarea'].flatMap((name) =>
    childrenOf(bcd.html['elements']?.[name]),
  ),
];
const oldAttributes = new Set(
  attributes.filter(([, attribute]) => !isNewer(attribute)).map(([name]) => name),
);
/** HTML attributes that no element had before. */
export const newerAttributes = new Set(
  attributes.map(([name]) => name).filter((name) => !oldAttributes.has(name)),
);

const {
  properties = {},
  selectors = {},
  types = {},
  'at-rules': rules = {},
} = bcd.css as Record<string, Record<string, Identifier>>;
const functions = new Map<string, Identifier>();
(function collect(feature: Identifier) {
  for (const [name, child] of childrenOf(feature)) {
    if (!functions.has(name)) functions.set(name, child);
    collect(child);
  }
})(types as Identifier);

export const newerCss = {
  property: (name: string, isPrefixed: boolean) => isNewer(properties[name], isPrefixed),
  value: (property: string, word: string, isPrefixed: boolean) =>
    isNewer(properties[property]?.[word], isPrefixed),
  function: (name: string) => isNewer(functions.get(name)),
  selector: (name: string) => isNewer(selectors[name]),
  rule: (name: string) => isNewer(rules[name]),
  mediaFeature: (name: string) => isNewer(rules['media']?.[name]),
};
