import encodeQR from 'qr';
import { useMemo, useState } from 'react';
import type { FactorSetup } from '#contract/staff.ts';
import { textMember } from '#web/lib/transport-error.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { DataForm } from '#web/ui/data-form.tsx';
import { Field } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/text-input.tsx';
import { CodeField } from './code-field.tsx';
import { factorWrites } from './factor-writes.ts';

interface FactorSetupProps {
  label: string;
  onCodes: (codes: string[]) => void;
}

/**
 * Sets up an authenticator app: the password if the login is old, the QR code, and the first code.
 */
export function FactorSetupSteps({ label, onCodes }: FactorSetupProps) {
  const [setup, setSetup] = useState<FactorSetup | null>(null);
  const { send, isBusy, error } = useWrite(factorWrites, 'begin', { onDone: setSetup });
  const { body } = error?.response ?? {};
  const [asksPassword, setAsksPassword] = useState(false);
  const isUnconfirmed = textMember(body, 'code') === 'confirm_password';
  if (isUnconfirmed && !asksPassword) setAsksPassword(true);

  if (setup) return <ConfirmSetup setup={setup} onCodes={onCodes} />;
  return (
    <DataForm
      onSubmit={(data) => {
        const password = data.get('password');
        void send({ body: typeof password === 'string' ? { password } : {} });
      }}
      className="flex max-w-form flex-col items-start gap-5"
    >
      {asksPassword && (
        <Field
          label="Password"
          hint="You logged in more than 10 minutes ago."
          error={isUnconfirmed ? undefined : error?.message}
          className="w-full"
        >
          {(control) => (
            <PasswordInput {...control} name="password" autoComplete="current-password" />
          )}
        </Field>
      )}
      {error && !asksPassword && <Banner tone="error">{error.message}</Banner>}
      <Button type="submit" busy={isBusy}>
        {label}
      </Button>
    </DataForm>
  );
}

function ConfirmSetup({
  setup: { secret, uri, setup },
  onCodes,
}: {
  setup: FactorSetup;
  onCodes: (codes: string[]) => void;
}) {
  const { send, isBusy, error } = useWrite(factorWrites, 'confirm', {
    onDone: ({ recovery_codes }) => onCodes(recovery_codes),
  });
  return (
    <DataForm
      onSubmit={(data) => {
        const code = String(data.get('code'));
        void send({ body: { setup, code } });
      }}
      className="flex max-w-form flex-col items-start gap-5"
    >
      <p>Scan this with your authenticator app, or enter the key below it.</p>
      <QrCode text={uri} />
      <p>
        <span className="text-sm font-semibold">Key</span>
        <br />
        <span className="font-code wrap-anywhere">{secret.match(/.{1,4}/g)?.join(' ')}</span>
      </p>
      <CodeField error={error?.message} hint="The six digits that the app shows." />
      <Button type="submit" busy={isBusy}>
        Confirm
      </Button>
    </DataForm>
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
