import type { User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { CheckAgain } from './check-again.tsx';
import { RegistryChecks } from './registry-checks.tsx';
import { RegistryName } from './registry-name.tsx';
import { Step, type StepState } from './step.tsx';
import { useRegistryCheck } from './use-registry-check.ts';

/** What was compared with the public registry, when, and with what outcome. */
export function RegistryStep({ user, doctor }: { user: User; doctor: Doctor }) {
  const { status, checks, checked_on, registry_name } = doctor.verification;
  const registryCheck = useRegistryCheck(doctor);
  const canCheckAgain = status === 'pending' || status === 'needs_review';
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
        <RegistryName
          user={user}
          registryName={registry_name}
          onCorrected={registryCheck.checkAgain}
        />
      )}
      <CheckAgain isOffered={canCheckAgain} result={resultOf(doctor)} {...registryCheck} />
    </Step>
  );
}

function stateOf({ verification: { status, checks } }: Doctor): StepState {
  const outcomes = Object.values(checks);
  if (status === 'pending') return { kind: 'now', text: 'In progress' };
  if (outcomes.includes(false)) return { kind: 'failed', text: 'Does not match' };
  if (outcomes.includes(null)) return { kind: 'waiting', text: 'Incomplete' };
  return { kind: 'done', text: 'Matches' };
}

function resultOf({ verification: { checks, checked_on } }: Doctor): string {
  const outcome = Object.values(checks).every((passed) => passed === true)
    ? 'Everything matches.'
    : 'Not everything matches.';
  return checked_on === null ? outcome : `Checked on ${formatLongDate(checked_on)}. ${outcome}`;
}
