/** The HIFLD file, which is not in this repository; empty if there is none (docs/testing.md). */
export const HOSPITALS_FILE = process.env['HOSPITALS_FILE'] ?? '';

/** CMS's Hospital General Information of 2026, likewise. */
export const CMS_FILE = process.env['CMS_FILE'] ?? '';
