import type { ComponentProps, ReactNode } from 'react';

interface AccountFormProps extends Pick<ComponentProps<'form'>, 'onSubmit'> {
  /** What checks the form (web/lib/lazy-checks.ts). */
  checks: { preload: () => void };
  children: ReactNode;
}

/** A form of signed-out visitors. `post` keeps a password out of the URL before the script runs. */
export function AccountForm({ checks, ...rest }: AccountFormProps) {
  return (
    <form
      {...rest}
      method="post"
      noValidate
      onFocus={checks.preload}
      className="flex flex-col gap-5"
    />
  );
}
