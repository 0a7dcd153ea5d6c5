import type { Config } from '#server/config.ts';
import type { HeldDoctor } from '#server/features/accounts/service.ts';

/**
 * Whether what an account does is to count against its NPI. With `proof`, it may be somebody else's
 * until something is proven.
 */
export const ownsNpi = (
  { verification: mode }: Pick<Config, 'verification'>,
  { doctor, evidence }: Pick<HeldDoctor, 'doctor' | 'evidence'>,
): boolean =>
  evidence.held_by === 'proof' ||
  evidence.proofs.length > 0 ||
  (mode !== 'proof' && (doctor.verified || evidence.held_by !== null));
