import { createRoot } from 'react-dom/client';
import { CodeDialog } from './code-dialog.tsx';

/** Asks outside of the page's tree: a loader or a write waits for the answer. */
export function askForCode(): Promise<boolean> {
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host, { identifierPrefix: 'office' });
  return new Promise((resolve) => {
    const close = (isRight: boolean) => {
      root.unmount();
      host.remove();
      resolve(isRight);
    };
    root.render(<CodeDialog onDone={() => close(true)} onClose={() => close(false)} />);
  });
}
