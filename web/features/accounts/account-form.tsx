import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { focusFirstInvalid } from '#web/ui/first-invalid.ts';

interface AccountFormProps extends Pick<ComponentProps<'form'>, 'onSubmit'> {
  /** What checks the form (web/lib/lazy-checks.ts). */
  checks: { preload: () => void };
  isSubmitting: boolean;
  children: ReactNode;
}

/**
 * A form of signed-out visitors. `post` keeps a password out of the URL before the script runs. The
 * focus goes to the first error.
 */
export function AccountForm({ checks, isSubmitting, ...rest }: AccountFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const hasWaited = useRef(false);

  // Errors may come late, and whoever has gone on by then is not interrupted.
  useEffect(() => {
    if (hasWaited.current && !isSubmitting && form.current) focusFirstInvalid(form.current);
  });

  const goOn = () => {
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
        goOn();
      }}
      onInput={goOn}
      onSubmitCapture={() => {
        hasWaited.current = true;
      }}
      className="flex flex-col gap-5"
    />
  );
}
