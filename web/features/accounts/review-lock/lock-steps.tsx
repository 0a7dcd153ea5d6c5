import { Copy, Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { LockRequest } from '#contract/accounts/accounts.ts';
import { readPaperCode } from '#contract/accounts/recovery-code.ts';
import { useRootMark } from '#web/lib/use-root-mark.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';

const TITLE = 'Recovery code';

/**
 * Printed instead of the page (web/styles/print.css). It names neither the site nor the account, so
 * the paper reveals nothing about its owner to someone who finds it.
 */
function PrintedCode({ code }: { code: string }) {
  useRootMark('printed', 'sheet');
  useEffect(() => {
    // Browsers print the title on the page, and use it as the file name.
    const { title } = document;
    const hide = () => {
      document.title = TITLE;
    };
    const restore = () => {
      document.title = title;
    };
    window.addEventListener('beforeprint', hide);
    window.addEventListener('afterprint', restore);
    return () => {
      window.removeEventListener('beforeprint', hide);
      window.removeEventListener('afterprint', restore);
    };
  }, []);

  return createPortal(
    <div data-print-sheet>
      <h1 className="font-display text-2xl">{TITLE}</h1>
      <p className="mt-6 font-code text-2xl">{code.replaceAll('-', ' ')}</p>
      <p className="mt-6 max-w-measure">
        Keep this paper in a safe place. If you forget your password, enter this code when you
        choose a new one. Capitalization, spaces, and hyphens do not matter.
      </p>
    </div>,
    document.body,
  );
}

/** If the reviews are locked already, the same steps replace the recovery code. */
export type LockPurpose = 'lock' | 'new-code';

export function MeaningStep({ purpose }: { purpose: LockPurpose }) {
  return (
    <div className="mt-2 flex flex-col gap-4">
      {purpose === 'lock' ? (
        <>
          <p>
            Once your reviews are locked, nobody at Curbside can look up who wrote them. An older
            backup of the database can still reveal what you had written by then, but nothing later.
          </p>
          <p>
            You’ll get a recovery code to keep. You’ll be signed out everywhere else, and can sign
            back in. You can unlock your reviews at any time. A recovery code from an earlier lock
            stops working.
          </p>
        </>
      ) : (
        <p>
          Your reviews stay locked. You’ll get a new recovery code, and the old one stops working.
          You’ll be signed out everywhere else, and can sign back in.
        </p>
      )}
      <Banner tone="info">
        <p className="font-semibold">
          Keep the code safe. Without it, you could lose your reviews.
        </p>
        <p className="mt-1">
          If you forget your password, you’ll need your recovery code or a browser that is still
          signed in. Without either one, your reviews stay published, but you can no longer edit or
          delete them, and we cannot give them back to you.
        </p>
      </Banner>
    </div>
  );
}

/** Shows the recovery code, for the user to keep on paper or in a password manager. */
export function CodeStep({ code }: { code: string }) {
  const [note, setNote] = useState('');

  async function copy() {
    try {
      await navigator.clipboard.writeText(code);
      setNote('Copied.');
    } catch {
      // The browser denied access, or has no clipboard because the page was not loaded over HTTPS.
      setNote('Your browser does not allow copying here. Select the code and copy it yourself.');
    }
  }

  return (
    <div className="mt-2 flex flex-col gap-4">
      <p>
        This is your recovery code. Write it down, print it, or save it in a password manager. We
        don’t keep it, and you won’t see it again.
      </p>
      <p className="rounded-md border border-control bg-sunken px-4 py-5 text-center font-code text-xl text-ink select-all">
        {code.replaceAll('-', ' ')}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={copy}>
          <Copy aria-hidden className="size-4" />
          Copy
        </Button>
        <Button variant="secondary" onClick={() => window.print()}>
          <Printer aria-hidden className="size-4" />
          Print
        </Button>
      </div>
      <p role="status" className="text-sm empty:hidden">
        {note}
      </p>
      <PrintedCode code={code} />
    </div>
  );
}

/** The request, with the code that was shown. */
export const lockRequest = (shown: string) =>
  LockRequest.check((typed) => {
    const message = codeDifference(shown, typed.value.recovery_code);
    if (message === null) return;
    typed.issues.push({ code: 'custom', message, input: typed.value, path: ['recovery_code'] });
  });

/** The error if the typed code is not the one shown (`7K2MD-…`), or null. */
export function codeDifference(shown: string, typed: string): string | null {
  const code = readPaperCode(typed);
  let start = 0;
  for (const [place, group] of shown.split('-').entries()) {
    if (!code.startsWith(group, start)) {
      return `Group ${place + 1} does not match the code we showed you. Please check it, or go back to see the code again.`;
    }
    start += group.length;
  }
  return null;
}
