import { useEffect, useState } from 'react';
import { cx } from './cx.ts';

const COPIED_MS = 3000;

interface ShareButtonProps {
  /** The path of a page of this site. */
  path: string;
  title: string;
  className: string;
  /** What to tell the user if the link cannot be copied. Null once that is over. */
  onNotice: (notice: string | null) => void;
}

/** Opens the share sheet on a phone, and copies the URL elsewhere. Hidden without script. */
export function ShareButton({ path, title, className, onNotice }: ShareButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  async function share() {
    const url = new URL(path, window.location.href).href;
    onNotice(null);
    if (await sharedBySheet(title, url)) return;
    try {
      await navigator.clipboard.writeText(url);
      setCopied(true);
    } catch {
      // The browser denied access, or has no clipboard because the page was not loaded over HTTPS.
      onNotice(`Copy this link: ${url}`);
    }
  }

  return (
    <>
      <button type="button" onClick={share} className={cx(className, 'noscript:hidden')}>
        {/* Two lines, no larger than the text that they replace, so that nothing moves. */}
        <span className="grid items-center justify-items-center *:[grid-area:1/1]">
          <span className={cx(isCopied && 'invisible')}>Share</span>
          <span className={cx('w-min text-xs leading-none wrap-normal', !isCopied && 'invisible')}>
            Link copied
          </span>
        </span>
      </button>
      <span role="status" className="sr-only">
        {isCopied && 'Link copied'}
      </span>
    </>
  );
}

async function sharedBySheet(title: string, url: string): Promise<boolean> {
  if (!('share' in navigator) || !window.matchMedia('(pointer: coarse)').matches) return false;
  try {
    await navigator.share({ title, url });
    return true;
  } catch (error) {
    // Closing the sheet is no failure; any other error means that it could not be opened.
    return error instanceof DOMException && error.name === 'AbortError';
  }
}
