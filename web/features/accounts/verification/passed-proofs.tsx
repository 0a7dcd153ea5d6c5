import type { Proof } from '#contract/verification.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { PROOF_NAMES } from './proof-kinds.ts';

/** The proofs that were passed, each with its day. */
export function PassedProofs({ proofs }: { proofs: readonly Proof[] }) {
  return (
    <ul className="flex flex-col divide-y divide-rule border-y border-rule">
      {proofs.map(({ kind, on }) => (
        <li
          key={`${kind} ${on}`}
          className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5"
        >
          <span>{PROOF_NAMES[kind]}</span>
          <span className="text-sm text-ink-soft lining-nums">{formatLongDate(on)}</span>
        </li>
      ))}
    </ul>
  );
}
