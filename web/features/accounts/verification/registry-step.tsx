import { Check, Minus, X } from 'lucide-react';
import type { User } from '#contract/accounts.ts';
import type { Doctor, VerificationChecks } from '#contract/doctors.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { session } from '#web/lib/session.ts';
import { cx } from '#web/ui/cx.ts';
import { CheckAgain, useRegistryCheck } from './check-again.tsx';
import { RegistryName } from './registry-name.tsx';
import { Step, type StepState } from './step.tsx';

export function RegistryStep({ user, doctor }: { user: User; doctor: Doctor }) {
  const { checks, checked_on, registry_name } = doctor.verification;
  const registryCheck = useRegistryCheck(doctor);

  async function checkNewName() {
    await session.reload();
    await registryCheck.checkAgain();
  }

  return (
    <Step number={1} title="Registry" state={stateOf(doctor)}>
      <p className="text-ink-soft">
        We compare your name and your NPI with the NPI registry, the government’s public list.{' '}
        {checked_on !== null && (
          <>
            Last checked on{' '}
            <strong className="font-semibold text-ink lining-nums">
              {formatLongDate(checked_on)}
            </strong>
            .
          </>
        )}
      </p>
      <RegistryChecks checks={checks} />
      {registry_name && (
        <RegistryName user={user} registryName={registry_name} onCorrected={checkNewName} />
      )}
      <CheckAgain doctor={doctor} {...registryCheck} />
    </Step>
  );
}

function stateOf({ verification: { status, checks } }: Doctor): StepState {
  const results = Object.values(checks);
  if (status === 'pending') return { kind: 'now', text: 'In progress' };
  if (results.includes(false)) return { kind: 'failed', text: 'Does not match' };
  if (results.includes(null)) return { kind: 'waiting', text: 'Incomplete' };
  return { kind: 'done', text: 'Matches' };
}

/** The remedy is what to do if the check failed. */
const CHECKS: Record<keyof VerificationChecks, { label: string; remedy: string }> = {
  known: {
    label: 'NPI found',
    remedy: 'If you mistyped your NPI at sign-up, write to us: it cannot be changed here.',
  },
  active: {
    label: 'NPI active',
    remedy: 'A deactivated NPI can be reactivated with the registry. After that, check again.',
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

function RegistryChecks({ checks }: { checks: VerificationChecks }) {
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
            {passed === false && <p className="w-full text-sm text-ink-soft">{remedy}</p>}
          </li>
        );
      })}
    </ul>
  );
}
