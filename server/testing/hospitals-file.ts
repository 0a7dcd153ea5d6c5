/** The HIFLD file, which is not part of this repository; empty without one (docs/testing.md). */
export const HOSPITALS_FILE = process.env['HOSPITALS_FILE'] ?? '';
