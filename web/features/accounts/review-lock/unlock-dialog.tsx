import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import type { User } from '#contract/accounts.ts';
import { UnlockRequest } from '#contract/review-lock.ts';
import { profileWrites } from '#web/features/accounts/account-writes.ts';
import { authFailure, FAILURES, showFailure } from '#web/features/accounts/failures.ts';
import { CurrentPasswordField } from '#web/features/accounts/password-fields.tsx';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Dialog, FormButtons } from '#web/ui/dialog.tsx';

interface UnlockDialogProps {
  user: User;
  onClose: () => void;
  onDone: (message: string) => void;
}

export function UnlockDialog({ user, onClose, onDone }: UnlockDialogProps) {
  const formId = useId();
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: zodResolver(UnlockRequest),
  });
  const { errors } = formState;

  const { send, isBusy } = useWrite(profileWrites, 'unlockReviews', {
    onDone: (answer) => onDone(answer.message),
    onError: (error) =>
      showFailure(setError, error, ['password'], authFailure(error, FAILURES.unlock)),
  });
  const unlock = handleSubmit((body) => send({ body }));

  return (
    <Dialog
      title="Unlock my reviews"
      onClose={onClose}
      actions={
        <FormButtons form={formId} busy={isBusy} onCancel={onClose}>
          {isBusy ? 'Unlocking...' : 'Unlock my reviews'}
        </FormButtons>
      }
    >
      <form id={formId} method="post" noValidate onSubmit={unlock} className="grid gap-5">
        <p>
          Your reviews stay anonymous on the site. But as before you locked them, someone with the
          database and Curbside’s key can look up who wrote them.
        </p>
        <p>
          You no longer risk losing your reviews if you forget your password, and your recovery code
          stops working. You’ll be signed out everywhere else, and can sign back in.
        </p>
        {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
        <CurrentPasswordField
          email={user.email}
          error={errors.password?.message}
          {...register('password')}
        />
      </form>
    </Dialog>
  );
}
