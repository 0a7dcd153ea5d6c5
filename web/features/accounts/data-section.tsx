import { zodResolver } from '@hookform/resolvers/zod';
import { Download } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import {
  AccountDeletionRequest,
  type AccountExport,
  AccountExportRequest,
} from '#contract/account-data.ts';
import { ACCOUNT_MESSAGES } from '#contract/account-messages.ts';
import type { User } from '#contract/accounts.ts';
import { POSTING_PAUSE_MONTHS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { session } from '#web/lib/session.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Radio } from '#web/ui/checkbox.tsx';
import { Dialog, FormButtons } from '#web/ui/dialog.tsx';
import { FieldError } from '#web/ui/field.tsx';
import { profileWrites } from './account-writes.ts';
import { EditingButtons, useEditing } from './editing.tsx';
import { asksForPassword, authFailure, FAILURES, showFailure } from './failures.ts';
import { ConfirmPasswordField, CurrentPasswordField } from './password-fields.tsx';
import { ProfileSection } from './profile-section.tsx';

interface DeleteAccountDialogProps {
  user: User;
  isOpen: boolean;
  onClose: () => void;
}

function DeleteAccountDialog({ user, isOpen, onClose }: DeleteAccountDialogProps) {
  const formId = useId();
  const errorId = useId();
  const navigate = useNavigate();
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: zodResolver(AccountDeletionRequest),
    // Representatives have no reviews.
    ...(user.is_representative && { defaultValues: { reviews: 'delete' as const } }),
  });
  const { errors } = formState;

  const { send, isBusy } = useWrite(profileWrites, 'delete', {
    onDone: () => void leave(),
    onError: (error) =>
      showFailure(setError, error, ['reviews', 'password'], authFailure(error, FAILURES.deletion)),
  });
  const deleteAccount = handleSubmit((body) => send({ body }));

  /** Not in the action, because a redirect cannot carry the notice. */
  async function leave() {
    await session.signOut();
    await navigate(paths.login(), { state: { notice: ACCOUNT_MESSAGES.accountDeleted } });
  }

  function close() {
    reset();
    onClose();
  }

  if (!isOpen) return null;
  const reviewsError =
    errors.reviews?.type === 'server'
      ? (errors.reviews.message ?? '')
      : 'Please choose what should happen to your reviews';
  return (
    <Dialog
      title="Delete my account"
      onClose={close}
      actions={
        <FormButtons form={formId} variant="danger" busy={isBusy} onCancel={close}>
          {isBusy ? 'Deleting...' : 'Delete account'}
        </FormButtons>
      }
    >
      <form id={formId} method="post" noValidate onSubmit={deleteAccount} className="grid gap-5">
        {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
        {user.is_representative ? (
          <p>
            The employer’s replies stay below the reviews. To remove them, delete them before you
            delete your account.
          </p>
        ) : (
          <fieldset aria-describedby={errors.reviews && errorId} className="flex flex-col">
            <legend className="text-sm font-semibold text-ink">
              What should happen to your reviews?
            </legend>
            <Radio
              {...register('reviews')}
              value="keep"
              label="Keep them, detached from any account"
              hint={`If you sign up again with your NPI, you can read right away, but you can’t post for ${POSTING_PAUSE_MONTHS} months.`}
            />
            <Radio
              {...register('reviews')}
              value="delete_gradually"
              label="Delete them one by one over the next four weeks"
              hint="If you sign up again with your NPI, you can read right away, but you can’t post until they are gone."
            />
            <Radio {...register('reviews')} value="delete" label="Delete them now" />
            <p className="mt-2 text-sm text-ink-soft">
              Reviews that disappear at the same time can be recognized as the work of one person.
              Scheduled reviews go live only if you keep your reviews.
            </p>
            {errors.reviews && <FieldError id={errorId}>{reviewsError}</FieldError>}
          </fieldset>
        )}
        <CurrentPasswordField
          email={user.email}
          label="Password"
          error={errors.password?.message}
          {...register('password')}
        />
      </form>
    </Dialog>
  );
}

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
