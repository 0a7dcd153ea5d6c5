import { useEffect, useRef, useState } from 'react';

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
