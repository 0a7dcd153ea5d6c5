import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { AccountDeletionRequest } from '#contract/account-data.ts';
import { ACCOUNT_MESSAGES, type User } from '#contract/accounts.ts';
import { POSTING_PAUSE_MONTHS } from '#contract/limits.ts';
import { paths } from '#web/lib/paths.ts';
import { session } from '#web/lib/session.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Radio } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldErrors } from '#web/ui/field.tsx';
import { authFailure, FAILURES, fieldFailures } from './failures.ts';
import { PasswordField, PasswordOwner } from './password-field.tsx';
import { useAccountWrite } from './write-account.ts';

const FIELDS = ['reviews', 'password'] as const;

/** What the server says; the form's own message for a missing choice is another. */
const refusal = (message: string | undefined) => ({ type: 'server', message: message ?? '' });

interface DeleteAccountDialogProps {
  user: User;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks what should happen to the reviews, and for the password; then deletes the account. */
export function DeleteAccountDialog({ user, isOpen, onClose }: DeleteAccountDialogProps) {
  const formId = useId();
  const errorsId = useId();
  const navigate = useNavigate();
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: zodResolver(AccountDeletionRequest),
  });
  const { errors } = formState;

  const { send, isBusy } = useAccountWrite('delete', (outcome) => {
    if ('ok' in outcome) return void leave();
    const faults = new Map(fieldFailures(outcome.error));
    const [field] = FIELDS.filter((each) => faults.has(each));
    if (field) setError(field, refusal(faults.get(field)), { shouldFocus: true });
    else setError('root', refusal(authFailure(outcome.error, FAILURES.deletion)));
  });
  const deleteAccount = handleSubmit((body) => send({ body }));

  /** Not in the action: a redirect cannot carry the notice. */
  async function leave() {
    await session.signOut();
    await navigate(paths.login(), { state: { notice: ACCOUNT_MESSAGES.accountDeleted } });
  }

  function close() {
    // What was typed is forgotten.
    reset();
    onClose();
  }

  return (
    <Dialog
      title="Delete my account"
      isOpen={isOpen}
      onClose={close}
      actions={
        <>
          <Button variant="secondary" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="danger" busy={isBusy}>
            {isBusy ? 'Deleting...' : 'Delete account'}
          </Button>
        </>
      }
    >
      <form id={formId} method="post" noValidate onSubmit={deleteAccount} className="grid gap-5">
        {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
        <PasswordOwner email={user.email} />
        <fieldset aria-describedby={errors.reviews && errorsId} className="flex flex-col">
          <legend className="text-sm font-semibold text-ink">
            What should happen to your reviews?
          </legend>
          <Radio
            {...register('reviews')}
            value="keep"
            label="Keep them, detached from any account"
            hint={`If you sign up again with your NPI, you can read at once, but not post for ${POSTING_PAUSE_MONTHS} months.`}
          />
          <Radio
            {...register('reviews')}
            value="delete_gradually"
            label="Delete them one by one over the next four weeks"
            hint="If you sign up again with your NPI, you can read at once, but not post until they are gone."
          />
          <Radio {...register('reviews')} value="delete" label="Delete them now" />
          <p className="mt-2 text-sm text-ink-soft">
            Reviews that disappear at the same moment can be recognized as the work of one person.
            Scheduled reviews go live only if you keep your reviews.
          </p>
          {errors.reviews && (
            <FieldErrors
              id={errorsId}
              errors={[
                errors.reviews.type === 'server'
                  ? (errors.reviews.message ?? '')
                  : 'Please choose what should happen to your reviews',
              ]}
            />
          )}
        </fieldset>
        <PasswordField
          label="Password"
          error={errors.password?.message}
          autoComplete="current-password"
          {...register('password')}
        />
      </form>
    </Dialog>
  );
}
