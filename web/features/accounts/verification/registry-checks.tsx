import { Check, Minus, X } from 'lucide-react';
import type { VerificationChecks } from '#contract/doctors.ts';
import { cx } from '#web/ui/cx.ts';

interface RegistryCheck {
  check: keyof VerificationChecks;
  label: string;
  /** What to do about it where it was not passed. */
  remedy: string;
}

const CHECKS: readonly RegistryCheck[] = [
  {
    check: 'known',
    label: 'The registry knows the NPI',
    remedy: 'If you mistyped your NPI at sign-up, write to us: it cannot be changed here.',
  },
  {
    check: 'active',
    label: 'It is active',
    remedy: 'A deactivated NPI can be reactivated with the registry. After that, check again.',
  },
  {
    check: 'individual',
    label: 'It belongs to a person',
    remedy: 'This is an organization’s NPI. Please write to us to use your own.',
  },
  {
    check: 'physician',
    label: 'A physician, or in training',
    remedy:
      'The registry lists no taxonomy of a physician. If it is out of date, update it there, and check again.',
  },
  {
    check: 'name_matches',
    label: 'The name is the registry’s',
    remedy: 'Correct your name here, or have it updated with the registry.',
  },
];

const OUTCOMES = {
  passed: { Icon: Check, text: 'Passed', className: 'text-accent' },
  failed: { Icon: X, text: 'Not passed', className: 'text-danger' },
  open: { Icon: Minus, text: 'Not checked yet', className: 'text-ink-faint' },
} as const;

const outcomeOf = (passed: boolean | null) =>
  OUTCOMES[passed === null ? 'open' : passed ? 'passed' : 'failed'];

/** Which checks against the public registry were passed. */
export function RegistryChecks({ checks }: { checks: VerificationChecks }) {
  return (
    <ul className="flex flex-col divide-y divide-rule border-y border-rule">
      {CHECKS.map(({ check, label, remedy }) => {
        const { Icon, text, className } = outcomeOf(checks[check]);
        return (
          <li
            key={check}
            className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5 break-inside-avoid"
          >
            <span>{label}</span>
            <span className={cx('flex gap-1.5 text-sm', className)}>
              <Icon aria-hidden className="size-4 self-center" />
              {text}
            </span>
            {checks[check] === false && <p className="w-full text-sm text-ink-soft">{remedy}</p>}
          </li>
        );
      })}
    </ul>
  );
}
