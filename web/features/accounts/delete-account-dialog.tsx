import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { AccountDeletionRequest } from '#contract/account-data.ts';
import { ACCOUNT_MESSAGES } from '#contract/account-messages.ts';
import type { User } from '#contract/accounts.ts';
import { POSTING_PAUSE_MONTHS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { session } from '#web/lib/session.ts';
import { useWrite } from '#web/lib/write.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Radio } from '#web/ui/checkbox.tsx';
import { Dialog, FormButtons } from '#web/ui/dialog.tsx';
import { FieldError } from '#web/ui/field.tsx';
import { profileWrites } from './account-writes.ts';
import { authFailure, FAILURES, showFailure } from './failures.ts';
import { CurrentPasswordField } from './password-fields.tsx';

interface DeleteAccountDialogProps {
  user: User;
  isOpen: boolean;
  onClose: () => void;
}

export function DeleteAccountDialog({ user, isOpen, onClose }: DeleteAccountDialogProps) {
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
