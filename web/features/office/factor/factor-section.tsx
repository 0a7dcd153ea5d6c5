import { useState } from 'react';
import type { FactorStatus } from '#contract/staff.ts';
import { plural } from '#web/lib/format.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FactorSetupSteps } from './factor-setup.tsx';
import { factorWrites } from './factor-writes.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { WrongCodesNote } from './wrong-codes-note.tsx';

/** The user's own second factor: setup, new recovery codes, and removal. */
export function FactorSection({ status }: { status: FactorStatus }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);

  if (codes) return <RecoveryCodes codes={codes} />;
  return (
    <div className="flex flex-col items-start gap-6">
      {status.wrong_codes && <WrongCodesNote {...status.wrong_codes} />}
      {status.is_set_up ? (
        <>
          <p>
            Your authenticator app is set up. You have{' '}
            {plural(status.recovery_codes_left, 'recovery code')} left.
          </p>
          <NewCodes onCodes={setCodes} />
          <FactorSetupSteps label="Set up another app" onCodes={setCodes} />
          <RemoveFactor isRequired={status.is_required} />
        </>
      ) : (
        <>
          <p className="max-w-measure">
            {status.is_required
              ? 'To enter the office, set up an authenticator app first.'
              : 'An authenticator app keeps others out of the office, even if they know your password.'}
          </p>
          <FactorSetupSteps label="Set up an authenticator app" onCodes={setCodes} />
        </>
      )}
    </div>
  );
}

function NewCodes({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const { send, isBusy, error } = useWrite(factorWrites, 'newRecoveryCodes', {
    onDone: ({ recovery_codes }) => onCodes(recovery_codes),
  });
  return (
    <div className="flex flex-col items-start gap-3">
      {error && <Banner tone="error">{error.message}</Banner>}
      <Button variant="secondary" busy={isBusy} onClick={() => void send({})}>
        New recovery codes
      </Button>
    </div>
  );
}

function RemoveFactor({ isRequired }: { isRequired: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const { send, isBusy, error } = useWrite(factorWrites, 'remove');
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Remove authenticator app
      </Button>
      {isAsking && (
        <Dialog
          title="Remove authenticator app"
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button variant="secondary" onClick={() => setAsking(false)}>
                Cancel
              </Button>
              <Button variant="danger" busy={isBusy} onClick={() => void send({})}>
                Remove
              </Button>
            </>
          }
        >
          {error && <Banner tone="error">{error.message}</Banner>}
          <p>
            {isRequired
              ? 'You won’t be able to enter the office until you set up another one.'
              : 'Anyone who knows your password will be able to enter the office.'}
          </p>
        </Dialog>
      )}
    </>
  );
}
