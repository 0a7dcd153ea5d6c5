/**
 * NUCC taxonomies of those who may be physicians: clinical pharmacology (202), neuromusculoskeletal
 * and oral surgery (204), allopathic and osteopathic physicians (207, 208), phlebology and the like
 * (209800000X is legal medicine), and students and residents (390200000X).
 */
const OF_PHYSICIANS = /^20[2478]|^(209800000|390200000)X$/;

/** Whether the import keeps a person with this taxonomy. */
export const isKeptTaxonomy = (code: string): boolean => OF_PHYSICIANS.test(code);
