import { Check, Minus, X } from 'lucide-react';
import type { VerificationChecks as Checks } from '#contract/doctors.ts';
import { cx } from '#web/ui/cx.ts';

const CHECKS: readonly [keyof Checks, string][] = [
  ['known', 'The registry knows the NPI'],
  ['active', 'It is active'],
  ['individual', 'It belongs to a person'],
  ['physician', 'A physician, or in training'],
  ['name_matches', 'The name is the registry’s'],
];

const OUTCOMES = {
  passed: { Icon: Check, text: 'Passed', className: 'text-accent' },
  failed: { Icon: X, text: 'Not passed', className: 'text-danger' },
  open: { Icon: Minus, text: 'Not checked yet', className: 'text-ink-faint' },
} as const;

const outcomeOf = (passed: boolean | null) =>
  OUTCOMES[passed === null ? 'open' : passed ? 'passed' : 'failed'];

/** Which checks against the public registry were passed. */
export function VerificationChecks({ checks }: { checks: Checks }) {
  return (
    <ul className="flex flex-col divide-y divide-rule border-y border-rule">
      {CHECKS.map(([check, label]) => {
        const { Icon, text, className } = outcomeOf(checks[check]);
        return (
          <li key={check} className="grid grid-cols-[1fr_auto] items-baseline gap-x-4 py-2.5">
            <span>{label}</span>
            <span className={cx('flex gap-1.5 text-sm', className)}>
              <Icon aria-hidden className="size-4 self-center" />
              {text}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
