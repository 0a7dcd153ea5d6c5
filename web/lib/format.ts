import { DAY_MS, MINUTE_MS, NPI_MASK, NPI_VISIBLE_DIGITS } from '#contract/limits.ts';

const HOUR_MS = 60 * MINUTE_MS;

/** A month is 30 days, and there is no unit above a year (docs/product/reviews.md, "Review card"). */
const AGE_UNITS = [
  ['year', 365 * DAY_MS],
  ['month', 30 * DAY_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/** '5 minutes ago', '1 year ago'. Reviews are dated to the minute; newer ones are 'just now'. */
export function relativeAge(createdAt: string, now: Date): string {
  const age = now.getTime() - Date.parse(createdAt);
  const unit = AGE_UNITS.find(([, length]) => age >= length);
  if (!unit) return 'just now';
  return `${plural(Math.floor(age / unit[1]), unit[0])} ago`;
}

/** '1 review', '1,204 reviews'. */
export const plural = (count: number, noun: string) =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

// Not Intl, because loading one of its formats takes a phone as long as hydrating a page.
export const formatCount = (count: number) => String(count).replace(/\B(?=(?:\d{3}){1,5}$)/g, ',');

/** With one decimal, or 'N/A' if there is no rating. */
export const formatAverage = (average: number | null) => average?.toFixed(1) ?? 'N/A';

/** '67%', for a share from 0 to 1. */
export const formatPercent = (share: number) => `${Math.round(share * 100)}%`;

/** 'Boston, MA'. Either part may be missing. */
export function formatLocation(place: { city: string | null; state: string | null }): string {
  const city = place.city === null ? null : capitalizeWords(place.city);
  return [city, place.state?.toUpperCase()].filter(Boolean).join(', ');
}

/** Also capitalizes after a single letter and an apostrophe: O'Fallon, but Martha's Vineyard. */
const capitalizeWords = (text: string) =>
  text
    .toLowerCase()
    .replace(/(?<![\p{L}'’])\p{L}|(?<=(?<!\p{L})\p{L}['’])\p{L}/gu, (letter) =>
      letter.toUpperCase(),
    );

/** '****7890' (docs/product.md, "Names and places"). */
export const maskNpi = (npi: string | null | undefined) =>
  npi ? NPI_MASK + npi.slice(-NPI_VISIBLE_DIGITS) : 'Not available';

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** 'August 12, 2025', in UTC: a date without a time has no time zone. */
export function formatLongDate(text: string): string {
  const date = new Date(text);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

/** 'August 2025', in UTC. */
export const formatMonth = (text: string) => formatLongDate(text).replace(/ \d+,/, '');

/** 'on August 12, 2025', 'in the week of August 11, 2025', 'in August 2025': no finer than stored. */
export const formatPeriod = (text: string, period: 'day' | 'week' | 'month') =>
  period === 'month'
    ? `in ${formatMonth(text)}`
    : `${period === 'week' ? 'in the week of' : 'on'} ${formatLongDate(text)}`;

/** 'Aug 12, 2025, 3:04 PM', in the reader's time zone. Only for pages rendered in the browser. */
export const formatMinute = (text: string) =>
  new Date(text).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/**
 * '3:04 PM', in the reader's time zone, for a time close to now. Only for pages rendered in the
 * browser.
 */
export const formatTime = (text: string) =>
  new Date(text).toLocaleTimeString('en-US', { timeStyle: 'short' });

/** 'Aug 12, 2025', in UTC, so that server and browser agree. */
export const formatDate = (text: string) =>
  formatLongDate(text).replace(/^(\w{3})\w*/, (_month, short: string) => short);
