import { useState } from 'react';
import { paths } from '#web/lib/paths.ts';
import { shareAddress } from '#web/lib/share.ts';
import { Button } from '#web/ui/button.tsx';

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
      <Button
        variant="secondary"
        className="px-4 noscript:hidden"
        onClick={async () => setNotice(await shareAddress(paths.compare(ids, specialty), title))}
      >
        Share
      </Button>
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
