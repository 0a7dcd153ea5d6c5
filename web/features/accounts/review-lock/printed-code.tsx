import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { useRootMark } from '#web/lib/use-root-mark.ts';

const TITLE = 'Recovery code';

/**
 * Printed instead of the page (web/styles/print.css). It names neither the site nor the account, so
 * the paper reveals nothing about its owner to someone who finds it.
 */
export function PrintedCode({ code }: { code: string }) {
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
