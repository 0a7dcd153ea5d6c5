import type { FormEventHandler } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { User } from '#contract/accounts.ts';
import type { LockRequest } from '#contract/review-lock.ts';
import { PasswordField, PasswordOwner } from '#web/features/accounts/password-field.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { RecoveryCodeField } from './recovery-code-field.tsx';

interface ConfirmStepProps {
  id: string;
  form: UseFormReturn<LockRequest>;
  user: User;
  onSubmit: FormEventHandler<HTMLFormElement>;
}

/** Has the code typed back from where it was kept, and asks for the password. */
export function ConfirmStep({
  id,
  form: { register, formState },
  user,
  onSubmit,
}: ConfirmStepProps) {
  const { errors } = formState;
  return (
    <form id={id} method="post" noValidate onSubmit={onSubmit} className="mt-2 grid gap-5">
      <p>Type the code from where you saved it, to make sure that nothing is missing.</p>
      {errors.root && <Banner tone="error">{errors.root.message}</Banner>}
      <RecoveryCodeField error={errors.recovery_code?.message} {...register('recovery_code')} />
      <PasswordOwner email={user.email} />
      <PasswordField
        label="Current password"
        error={errors.password?.message}
        autoComplete="current-password"
        {...register('password')}
      />
    </form>
  );
}
