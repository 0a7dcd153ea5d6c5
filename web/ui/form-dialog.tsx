import { type ComponentProps, type ReactNode, useId } from 'react';
import type { ButtonVariant } from './button.tsx';
import { DataForm } from './data-form.tsx';
import { Dialog, FormButtons } from './dialog.tsx';

interface FormDialogProps {
  title: string;
  /** The text of the button that sends the form. */
  action: string;
  busy: boolean;
  variant?: ButtonVariant;
  isBeside?: boolean;
  onSubmit: (data: FormData) => void;
  onClose: () => void;
  /** Attributes of the form, such as those that keep what was typed. */
  form?: Pick<ComponentProps<typeof DataForm>, 'ref' | 'onInput'>;
  /** The class of the form. */
  className?: string;
  children: ReactNode;
}

/** A dialog that asks for a few values. Mount it to open it. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, busy, isBeside, onSubmit, onClose, children } = props;
  const { variant = 'primary', className = 'flex flex-col gap-5' } = props;
  const id = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isBeside={isBeside}
      actions={
        <FormButtons form={id} busy={busy} variant={variant} onCancel={onClose}>
          {action}
        </FormButtons>
      }
    >
      <DataForm {...props.form} id={id} onSubmit={onSubmit} className={className}>
        {children}
      </DataForm>
    </Dialog>
  );
}
