import { useEffect, useRef, useState } from 'react';

type Mode = 'initial' | 'editing' | 'saved' | 'cancelled';

/** A form that takes the place of the button which opens it, and gives it back with the focus. */
export function useEditing() {
  const [mode, setMode] = useState<Mode>('initial');
  const opener = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (mode === 'saved' || mode === 'cancelled') opener.current?.focus();
  }, [mode]);

  return { mode, setMode, opener };
}
