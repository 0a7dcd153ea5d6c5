import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { type AccountExport, AccountExportRequest } from '#contract/account-data.ts';
import type { User } from '#contract/accounts.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmPasswordField } from './confirm-password-field.tsx';
import { authFailure, FAILURES, fieldFailures } from './failures.ts';
import { useAccountWrite } from './write-account.ts';

interface ConfirmedExportFormProps {
  user: User;
  onExport: (data: AccountExport) => void;
  onCancel: () => void;
}

/** Takes the place of the download button until the password is typed. */
export function ConfirmedExportForm({ user, onExport, onCancel }: ConfirmedExportFormProps) {
  const { register, handleSubmit, setError, setFocus, formState } = useForm({
    resolver: zodResolver(AccountExportRequest),
  });
  const { errors } = formState;

  useEffect(() => setFocus('password'), [setFocus]);

  const { send, isBusy } = useAccountWrite('exportWithPassword', (outcome) => {
    if ('ok' in outcome) return onExport(outcome.ok);
    const { error } = outcome;
    const [wrongPassword] = fieldFailures(error).filter(([field]) => field === 'password');
    if (wrongPassword) setError('password', { message: wrongPassword[1] }, { shouldFocus: true });
    else setError('root', { message: authFailure(error, FAILURES.export) });
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
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy}>
          Download my data
        </Button>
        <Button variant="secondary" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
