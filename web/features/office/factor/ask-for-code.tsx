import { createRoot } from 'react-dom/client';
import { CodeDialog } from './code-dialog.tsx';

/** Renders outside of the page's React tree, because a loader or a write waits for the result. */
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
