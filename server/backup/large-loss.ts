const LARGE_SHARE = 0.05;

/** Whether more rows are missing than people usually delete between two backups. */
export const isLargeLoss = (before: number, now: number): boolean =>
  before - now > LARGE_SHARE * before;
