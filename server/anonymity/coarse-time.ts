import { DAY_MS } from '#contract/limits.ts';

/** The current time. Tests can replace it. */
export type Clock = () => Date;

/** Truncates a time to its minute, the finest precision stored for a review. */
export function toMinute(time: Date): Date {
  const minute = new Date(time);
  minute.setUTCSeconds(0, 0);
  return minute;
}

/** The day in UTC, as `YYYY-MM-DD`: the finest precision stored for anything tied to an account. */
export function toDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

const LONG_DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
/** 'August 12, 2025', for letters and mail. */
export const longDay = (day: string): string => LONG_DAY.format(new Date(day));

/** The first day that begins after `days` full days have passed since `time`. */
export function dayAfter(time: Date, days: number): string {
  return toDay(new Date(time.getTime() + (days + 1) * DAY_MS));
}

/** Adds days to a day. `days` may be negative. */
export function addDays(day: string, days: number): string {
  return toDay(new Date(Date.parse(day) + days * DAY_MS));
}

/** The first day of a moment's month, as `YYYY-MM-DD` (UTC). */
export const toMonth = (moment: Date): string => `${toDay(moment).slice(0, 7)}-01`;
