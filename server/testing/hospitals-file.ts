/** The HIFLD file, which is not in this repository; empty if there is none (docs/testing.md). */
export const HOSPITALS_FILE = process.env['HOSPITALS_FILE'] ?? '';
