import encodeQR from 'qr';
import { useMemo, useState } from 'react';
import { digestEndpoints, factorEndpoints } from '#contract/endpoints/office.ts';
import type { FactorSetup, FactorStatus } from '#contract/office/staff.ts';
import { Form } from '#web/form/form.tsx';
import { plural } from '#web/lib/format.ts';
import { textMember } from '#web/lib/transport-error.ts';
import { call, pageWrites, useWrite } from '#web/lib/write.ts';
import { Banner, focusOn } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { CODE_FIELD, WrongCodesNote } from './code-field.tsx';

export const factorWrites = pageWrites(
  {
    begin: call(factorEndpoints.begin),
    confirm: call(factorEndpoints.confirm),
    newRecoveryCodes: call(factorEndpoints.newRecoveryCodes),
    remove: call(factorEndpoints.remove),
    digest: call(digestEndpoints.set),
  },
  // After setup, the page shows only the recovery codes.
  { revalidates: ['newRecoveryCodes', 'remove', 'digest'] },
);

interface FactorSetupProps {
  label: string;
  onCodes: (codes: string[]) => void;
}

/**
 * Sets up an authenticator app: the password if the login is old, the QR code, and the first code.
 */
function FactorSetupSteps({ label, onCodes }: FactorSetupProps) {
  const [setup, setSetup] = useState<FactorSetup | null>(null);
  const { send, error } = useWrite(factorWrites, 'begin', { onDone: setSetup });
  const { body } = error?.response ?? {};
  const [asksPassword, setAsksPassword] = useState(false);
  const isUnconfirmed = textMember(body, 'code') === 'confirm_password';
  if (isUnconfirmed && !asksPassword) setAsksPassword(true);

  if (setup) return <ConfirmSetup setup={setup} onCodes={onCodes} />;
  return (
    <Form
      fields={[
        asksPassword && {
          name: 'password',
          label: 'Password',
          hint: 'You logged in more than 10 minutes ago.',
          kind: 'password',
          autoComplete: 'current-password',
          error: isUnconfirmed ? undefined : error?.message,
          className: 'w-full',
        },
      ]}
      action={label}
      error={asksPassword ? null : error}
      onSubmit={(body) => send({ body })}
      form={{ className: 'flex max-w-form flex-col items-start gap-5' }}
    />
  );
}

function ConfirmSetup({
  setup: { secret, uri, setup },
  onCodes,
}: {
  setup: FactorSetup;
  onCodes: (codes: string[]) => void;
}) {
  const { send, error } = useWrite(factorWrites, 'confirm', {
    onDone: ({ recovery_codes }) => onCodes(recovery_codes),
  });
  return (
    <Form
      fields={[
        { ...CODE_FIELD, hint: 'The six digits that the app shows.', error: error?.message },
      ]}
      action="Confirm"
      onSubmit={({ code = '' }) => send({ body: { setup, code } })}
      form={{ className: 'flex max-w-form flex-col items-start gap-5' }}
    >
      <p>Scan this with your authenticator app, or enter the key below it.</p>
      <QrCode text={uri} />
      <p>
        <span className="text-sm font-semibold">Key</span>
        <br />
        <span className="font-code wrap-anywhere">{secret.match(/.{1,4}/g)?.join(' ')}</span>
      </p>
    </Form>
  );
}

/** Always dark on light, with the border that scanners need. */
function QrCode({ text }: { text: string }) {
  const rows = useMemo(() => encodeQR(text, 'raw', { border: 4 }), [text]);
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label="QR code of the key below"
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="size-56 max-w-full bg-[white] text-[black]"
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}

/** The recovery codes, which are shown once. */
function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const [copied, setCopied] = useState<string | null>(null);
  const text = `${codes.join('\n')}\n`;

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied('Copied.');
    } catch {
      setCopied(
        'Your browser does not allow copying. Please select the codes and copy them yourself.',
      );
    }
  }

  return (
    <section className="flex max-w-form flex-col items-start gap-5">
      <h2 ref={focusOn} tabIndex={-1} className="font-display text-xl outline-none">
        Your recovery codes
      </h2>
      <p>
        If you lose your phone, each code lets you into the office once. Keep the codes in a safe
        place. We won’t show them again, and they replace any earlier codes.
      </p>
      <ul className="grid w-full gap-x-6 gap-y-2 xs:grid-cols-2 bg-sunken p-4 font-code">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => void copy()}>
          Copy
        </Button>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
          className={buttonClass('secondary')}
        >
          Download
        </a>
      </div>
      {copied && <Banner tone="info">{copied}</Banner>}
    </section>
  );
}

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
  const { send, error } = useWrite(factorWrites, 'remove');
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Remove authenticator app
      </Button>
      {isAsking && (
        <Form
          dialog={{ title: 'Remove authenticator app' }}
          fields={[]}
          action={{ text: 'Remove', variant: 'danger' }}
          error={error}
          onSubmit={() => send({})}
          onCancel={() => setAsking(false)}
        >
          <p>
            {isRequired
              ? 'You won’t be able to enter the office until you set up another one.'
              : 'Anyone who knows your password will be able to enter the office.'}
          </p>
        </Form>
      )}
    </>
  );
}
