import { zodResolver } from '@hookform/resolvers/zod';
import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { type AccountExport, AccountExportRequest } from '#contract/account-data.ts';
import type { User } from '#contract/accounts.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { profileWrites } from './account-writes.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { EditingButtons, useEditing } from './editing.tsx';
import { asksForPassword, authFailure, FAILURES, showFailure } from './failures.ts';
import { ConfirmPasswordField } from './password-fields.tsx';
import { ProfileSection } from './profile-section.tsx';

export function DataSection({ user }: { user: User }) {
  const [isDeleting, setDeleting] = useState(false);

  return (
    <ProfileSection title="Your data">
      <p className="text-ink-soft">
        Download everything we store about you (JSON). That includes your reviews.
      </p>
      <DataExport user={user} />
      <p className="mt-3 text-ink-soft">
        Deleting your account removes your name, addresses, and NPI right away. This cannot be
        undone. If any of your reviews stay up, or if you were banned, we keep the NPI in encrypted
        form so that nobody can post under it for a while.
      </p>
      <Button variant="danger" className="self-start" onClick={() => setDeleting(true)}>
        Delete my account
      </Button>
      <DeleteAccountDialog user={user} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </ProfileSection>
  );
}

/** Asks for the password only if the login is too old. */
function DataExport({ user }: { user: User }) {
  const { mode, setMode, opener } = useEditing();

  const { send, isBusy, error } = useWrite(profileWrites, 'export', {
    onDone: saveAsFile,
    onError: (failed) => asksForPassword(failed) && setMode('editing'),
  });

  if (mode === 'editing') {
    return (
      <ConfirmedExportForm
        user={user}
        onExport={(data) => {
          saveAsFile(data);
          setMode('saved');
        }}
        onCancel={() => setMode('canceled')}
      />
    );
  }
  return (
    <>
      {error && !asksForPassword(error) && <Banner tone="error">{FAILURES.export}</Banner>}
      <Button
        ref={opener}
        variant="secondary"
        className="self-start"
        busy={isBusy}
        onClick={() => send({})}
      >
        {!isBusy && <Download aria-hidden className="size-4" />}
        <span>Download my data</span>
      </Button>
    </>
  );
}

interface ConfirmedExportFormProps {
  user: User;
  onExport: (data: AccountExport) => void;
  onCancel: () => void;
}

function ConfirmedExportForm({ user, onExport, onCancel }: ConfirmedExportFormProps) {
  const { register, handleSubmit, setError, setFocus, formState } = useForm({
    resolver: zodResolver(AccountExportRequest),
  });
  const { errors } = formState;

  useEffect(() => setFocus('password'), [setFocus]);

  const { send, isBusy } = useWrite(profileWrites, 'exportWithPassword', {
    onDone: onExport,
    onError: (error) =>
      showFailure(setError, error, ['password'], authFailure(error, FAILURES.export)),
  });
  const download = handleSubmit((body) => send({ body }));

  return (
    <form method="post" noValidate onSubmit={download} className="flex max-w-form flex-col gap-5">
      <ConfirmPasswordField
        email={user.email}
        error={errors.password?.message}
        {...register('password')}
      />
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <EditingButtons isBusy={isBusy} onCancel={onCancel}>
        Download my data
      </EditingButtons>
    </form>
  );
}

const saveAsFile = (data: AccountExport) =>
  saveFile(
    new File([JSON.stringify(data, null, 2)], `curbside-${data.exported_on}.json`, {
      type: 'application/json',
    }),
  );
