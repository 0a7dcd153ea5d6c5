import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';

type Mode = 'initial' | 'editing' | 'saved' | 'canceled';

/**
 * State of a form that replaces the button that opened it. When the form closes, the button gets
 * the focus back.
 */
export function useEditing() {
  const [mode, setMode] = useState<Mode>('initial');
  const opener = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (mode === 'saved' || mode === 'canceled') opener.current?.focus();
  }, [mode]);

  return { mode, setMode, opener };
}

interface EditingButtonsProps {
  isBusy: boolean;
  disabled?: boolean;
  onCancel: () => void;
  children: ReactNode;
}

export function EditingButtons({ isBusy, disabled, onCancel, children }: EditingButtonsProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button type="submit" busy={isBusy} disabled={disabled}>
        {children}
      </Button>
      <Button variant="secondary" disabled={isBusy} onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
