import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';

interface ProfileSectionProps {
  /** The anchor of links to this section. */
  id?: string;
  title: ReactNode;
  note?: ReactNode;
  children: ReactNode;
}

/**
 * A section of My Account or of the verification page. On wide screens, its title is in the margin.
 */
export function ProfileSection({ id, title, note, children }: ProfileSectionProps) {
  const titleId = useId();
  return (
    <section
      id={id}
      tabIndex={id === undefined ? undefined : -1}
      aria-labelledby={titleId}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-5 border-t border-rule py-8 outline-none first:border-ink lg:grid-cols-[17rem_1fr]"
    >
      <div className="min-w-0">
        <h2 id={titleId} className="font-display text-xl">
          {title}
        </h2>
        {note}
      </div>
      <div className="flex max-w-measure min-w-0 flex-col gap-5">{children}</div>
    </section>
  );
}

/** Replaces a part of the page that failed to load. */
export function LoadFailure({ children }: { children: string }) {
  const { state, revalidate } = useRevalidator();
  return (
    <>
      <Banner tone="error">{children}</Banner>
      <Button
        variant="secondary"
        className="self-start"
        busy={state === 'loading'}
        onClick={() => void revalidate()}
      >
        Try again
      </Button>
    </>
  );
}

type Mode = 'initial' | 'editing' | 'saved' | 'canceled';

/**
 * State of a form that replaces the button that opened it. When the form closes, the button gets
 * the focus back.
 */
export function useEditing() {
  const [mode, setMode] = useState<Mode>('initial');
  const opener = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    // The answer may arrive late. Leave the focus alone if the user has moved on by then.
    const isLost = document.activeElement === document.body;
    if (isLost && (mode === 'saved' || mode === 'canceled')) opener.current?.focus();
  }, [mode]);

  return { mode, setMode, opener };
}
