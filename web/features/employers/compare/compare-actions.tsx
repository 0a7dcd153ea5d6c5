import { useState } from 'react';
import { paths } from '#web/lib/paths.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { ShareButton } from '#web/ui/share-button.tsx';

interface CompareActionsProps {
  ids: readonly number[];
  specialty: string | undefined;
  title: string;
}

/** The shared link contains the employers and the specialty, but not the notes. */
export function CompareActions({ ids, specialty, title }: CompareActionsProps) {
  const [notice, setNotice] = useState<string | null>(null);
  return (
    <>
      <ShareButton
        path={paths.compare(ids, specialty)}
        title={title}
        className={buttonClass('secondary', 'md', 'px-4')}
        onNotice={setNotice}
      />
      <Button variant="secondary" className="px-4 noscript:hidden" onClick={() => window.print()}>
        Print
      </Button>
      <p
        role="status"
        className="basis-full text-sm text-ink-soft wrap-anywhere empty:hidden print:hidden"
      >
        {notice}
      </p>
    </>
  );
}
