import type { User } from '#contract/accounts.ts';
import type { Doctor } from '#contract/doctors.ts';
import { formatLongDate } from '#web/lib/format.ts';
import { session } from '#web/lib/session.ts';
import { CheckAgain, useRegistryCheck } from './check-again.tsx';
import { RegistryChecks } from './registry-checks.tsx';
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
        We compare your name and NPI with the NPI registry, the government’s public list.{' '}
        {checked_on !== null && (
          <span>
            Last checked on{' '}
            <strong className="font-semibold text-ink lining-nums">
              {formatLongDate(checked_on)}
            </strong>
            .
          </span>
        )}
      </p>
      <RegistryChecks checks={checks} withRemedies />
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
