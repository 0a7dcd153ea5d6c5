import { DAY_MS } from '#contract/limits.ts';

/** The finest time that a review carries: its minute. */
export function toMinute(time: Date): Date {
  const minute = new Date(time);
  minute.setUTCSeconds(0, 0);
  return minute;
}

/** The finest time that anything tied to an account carries: its day, as `YYYY-MM-DD` in UTC. */
export function toDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** The first day that begins after `days` days from `time` have passed. */
export function dayAfter(time: Date, days: number): string {
  return toDay(new Date(time.getTime() + (days + 1) * DAY_MS));
}

/** The day so many days after another; before it, if negative. */
export function addDays(day: string, days: number): string {
  return toDay(new Date(Date.parse(day) + days * DAY_MS));
}
