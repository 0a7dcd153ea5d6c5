import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import type { User } from '#contract/accounts.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { UnlockRequest } from '#contract/review-lock.ts';
import { FAILURES } from '#web/features/accounts/failures.ts';
import { PasswordField, PasswordOwner } from '#web/features/accounts/password-field.tsx';
import { api } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { lockFailure } from './lock-failure.ts';

interface UnlockDialogProps {
  user: User;
  onClose: () => void;
  /** With what the server says. Settles once the page shows the change. */
  onDone: (message: string) => Promise<void>;
}

/** Says what unlocking means, and asks for the password. */
export function UnlockDialog({ user, onClose, onDone }: UnlockDialogProps) {
  const formId = useId();
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(UnlockRequest),
  });
  const { errors, isSubmitting } = formState;

  const unlock = handleSubmit(async (request) => {
    try {
      const { message } = await api.replaceSession(accountEndpoints.unlockReviews, {
        body: request,
      });
      await onDone(message);
    } catch (error) {
      const { field, message } = lockFailure(error, FAILURES.unlock);
      const at = field === 'password' ? field : 'root';
      setError(at, { message }, { shouldFocus: at === 'password' });
    }
  });

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
          <Button type="submit" form={formId} busy={isSubmitting}>
            {isSubmitting ? 'Unlocking...' : 'Unlock my reviews'}
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
