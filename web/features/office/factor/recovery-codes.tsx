import { useState } from 'react';
import { Banner } from '#web/ui/banner.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';

const focusOn = (element: HTMLElement | null) => element?.focus();

/** The recovery codes, which are shown once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const [copied, setCopied] = useState<string | null>(null);
  const text = `${codes.join('\n')}\n`;

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied('Copied.');
    } catch {
      setCopied(
        'Your browser does not allow copying. Please select the codes and copy them yourself.',
      );
    }
  }

  return (
    <section className="flex max-w-form flex-col items-start gap-5">
      <h2 ref={focusOn} tabIndex={-1} className="font-display text-xl outline-none">
        Your recovery codes
      </h2>
      <p>
        If you lose your phone, each code lets you into the office once. Keep the codes in a safe
        place. We won’t show them again, and they replace any earlier codes.
      </p>
      <ul className="grid w-full gap-x-6 gap-y-2 xs:grid-cols-2 bg-sunken p-4 font-code">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => void copy()}>
          Copy
        </Button>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
          className={buttonClass('secondary')}
        >
          Download
        </a>
      </div>
      {copied && <Banner tone="info">{copied}</Banner>}
    </section>
  );
}
