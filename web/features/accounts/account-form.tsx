import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { focusFirstInvalid } from '#web/ui/first-invalid.ts';

interface AccountFormProps extends Pick<ComponentProps<'form'>, 'onSubmit'> {
  /** The validation of the form (web/lib/lazy-checks.ts). */
  checks: { preload: () => void };
  isSubmitting: boolean;
  children: ReactNode;
}

/**
 * A form for signed-out visitors. `post` keeps the password out of the URL if the form is sent
 * before the script runs. The first error gets the focus.
 */
export function AccountForm({ checks, isSubmitting, ...rest }: AccountFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const hasWaited = useRef(false);

  // Errors may arrive late. Leave the focus alone if the user has moved on by then.
  useEffect(() => {
    if (hasWaited.current && !isSubmitting && form.current) focusFirstInvalid(form.current);
  });

  const moveOn = () => {
    hasWaited.current = false;
  };
  return (
    <form
      {...rest}
      ref={form}
      method="post"
      noValidate
      onFocus={() => {
        checks.preload();
        moveOn();
      }}
      onInput={moveOn}
      onSubmitCapture={() => {
        hasWaited.current = true;
      }}
      className="flex flex-col gap-5"
    />
  );
}
