import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import type { User } from '#contract/accounts.ts';
import { UnlockRequest } from '#contract/review-lock.ts';
import { FAILURES } from '#web/features/accounts/failures.ts';
import { PasswordField, PasswordOwner } from '#web/features/accounts/password-field.tsx';
import { useAccountWrite } from '#web/features/accounts/write-account.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { lockFailure } from './lock-failure.ts';

interface UnlockDialogProps {
  user: User;
  onClose: () => void;
  /** With what the server says. */
  onDone: (message: string) => void;
}

/** Says what unlocking means, and asks for the password. */
export function UnlockDialog({ user, onClose, onDone }: UnlockDialogProps) {
  const formId = useId();
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(UnlockRequest),
  });
  const { errors } = formState;

  const { send, isBusy } = useAccountWrite('unlockReviews', (outcome) => {
    if ('ok' in outcome) return onDone(outcome.ok.message);
    const { field, message } = lockFailure(outcome.error, FAILURES.unlock);
    const at = field === 'password' ? field : 'root';
    setError(at, { message }, { shouldFocus: at === 'password' });
  });
  const unlock = handleSubmit((body) => send({ body }));

  return (
    <Dialog
      isOpen
      title="Unlock my reviews"
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} busy={isBusy}>
            {isBusy ? 'Unlocking...' : 'Unlock my reviews'}
          </Button>
        </>
      }
    >
      <form id={formId} method="post" noValidate onSubmit={unlock} className="grid gap-5">
        <p>
          Your reviews stay anonymous on the site. But somebody with the database and the key that
          Curbside keeps for it can look up again who wrote them, as before you locked them.
        </p>
        <p>
          A forgotten password then no longer costs you your reviews, and your recovery code stops
          working. All other sessions are signed out; you can sign in again there.
        </p>
        {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
        <PasswordOwner email={user.email} />
        <PasswordField
          label="Current password"
          error={errors.password?.message}
          autoComplete="current-password"
          {...register('password')}
        />
      </form>
    </Dialog>
  );
}
