/**
 * What makes a doctor verified (the setting `VERIFICATION`): a match with the NPI registry and one
 * proof of control, the match alone, or an administrator.
 */
export const VERIFICATION_MODES = ['proof', 'registry', 'manual'] as const;
export type VerificationMode = (typeof VERIFICATION_MODES)[number];
