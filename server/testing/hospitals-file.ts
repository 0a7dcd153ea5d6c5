/** The HIFLD file, which is not in this repository; empty if there is none (docs/testing.md). */
export const HOSPITALS_FILE = process.env['HOSPITALS_FILE'] ?? '';

/**
 * A folder with `cms.csv` (CMS Hospital General Information) and `hifld.csv`; empty if there is none
 * (docs/testing.md).
 */
export const HOSPITAL_FILES = process.env['HOSPITAL_FILES'] ?? '';
