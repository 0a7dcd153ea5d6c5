/** The oldest browsers in which everything works. The build, its checks, and the pages follow. */
export const OLDEST_BROWSERS = {
  Safari: 16.4,
  Firefox: 115,
  Chrome: 111,
  Edge: 111,
} as const;
