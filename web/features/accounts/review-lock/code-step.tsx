import { Copy, Printer } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { PrintedCode } from './printed-code.tsx';

/** Shows the recovery code, to be kept on paper or in a password manager. */
export function CodeStep({ code }: { code: string }) {
  const [note, setNote] = useState('');

  async function copy() {
    try {
      await navigator.clipboard.writeText(code);
      setNote('Copied.');
    } catch {
      // Not allowed, or not there at all: outside https there is no clipboard.
      setNote('Your browser does not allow copying here. Select the code and copy it yourself.');
    }
  }

  return (
    <div className="mt-2 flex flex-col gap-4">
      <p>
        This is your recovery code. Write it down, print it, or save it in a password manager. We do
        not keep it, and you will not see it again.
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
