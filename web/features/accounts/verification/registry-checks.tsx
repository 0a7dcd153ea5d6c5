import { Check, Minus, X } from 'lucide-react';
import type { VerificationChecks } from '#contract/verification/doctors.ts';
import { cx } from '#web/ui/cx.ts';

/** The remedy is what to do if the check failed. */
const CHECKS: Record<keyof VerificationChecks, { label: string; remedy: string }> = {
  known: {
    label: 'NPI found',
    remedy: 'If you mistyped your NPI at sign-up, write to us. You can’t change it here.',
  },
  active: {
    label: 'NPI active',
    remedy: 'You can reactivate a deactivated NPI with the registry. Then check again.',
  },
  individual: {
    label: 'Individual, not an organization',
    remedy: 'This is an organization’s NPI. Please write to us to use your own.',
  },
  physician: {
    label: 'Physician, or in training',
    remedy:
      'The registry does not list you as a physician. If it is out of date, update it there, then check again.',
  },
  name_matches: {
    label: 'Name matches the registry',
    remedy: 'Correct your name here, or update it with the registry.',
  },
};

const RESULTS = {
  passed: { Icon: Check, text: 'Passed', className: 'text-accent' },
  failed: { Icon: X, text: 'Not passed', className: 'text-danger' },
  open: { Icon: Minus, text: 'Not checked yet', className: 'text-ink-faint' },
} as const;

const resultOf = (passed: boolean | null) =>
  RESULTS[passed === null ? 'open' : passed ? 'passed' : 'failed'];

interface RegistryChecksProps {
  checks: VerificationChecks;
  /** For the doctor's own page. */
  withRemedies?: boolean;
}

/** What the registry confirmed, one line per check. */
export function RegistryChecks({ checks, withRemedies = false }: RegistryChecksProps) {
  return (
    <ul className="flex flex-col divide-y divide-rule border-y border-rule">
      {Object.entries(CHECKS).map(([check, { label, remedy }]) => {
        const passed = checks[check as keyof VerificationChecks];
        const { Icon, text, className } = resultOf(passed);
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
            {withRemedies && passed === false && (
              <p className="w-full text-sm text-ink-soft">{remedy}</p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
