import type { FastifyRequest } from 'fastify';
import { FRESH_FACTOR_MS, OFFICE_PASS_MS } from '#contract/limits.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors/app-error.ts';
import type { Caller, OfficeGate } from '#server/plugins/access.ts';
import { factors, openFactor } from './factor.ts';
import { ageOfPass } from './pass.ts';

type GateDeps = Pick<Deps, 'config' | 'db' | 'keys' | 'clock'>;

/**
 * Requires the caller's second factor. Throws `factor_required` without a code within the last 12
 * hours (`fresh`: 5 minutes), and in production `factor_setup_required` without a factor.
 */
export const officeGate =
  (deps: GateDeps): OfficeGate =>
  async (request, caller, kind) => {
    const { db, config } = deps;
    const sealed = await factors.find(db, caller.userId);
    if (sealed !== null) return requirePass(deps, request, caller, sealed, kind);
    if (config.production) throw new AppError('factor_setup_required');
  };

function requirePass(
  deps: GateDeps,
  request: FastifyRequest,
  caller: Caller,
  sealed: Buffer,
  kind: 'fresh' | 'pass',
): void {
  const { id } = openFactor(deps.keys, caller.userId, sealed);
  const age = ageOfPass(deps, request, caller, id);
  const limit = kind === 'fresh' ? FRESH_FACTOR_MS : OFFICE_PASS_MS;
  if (age === null || age >= limit) throw new AppError('factor_required');
}
