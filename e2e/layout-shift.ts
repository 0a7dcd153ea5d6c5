import type { Page } from '@playwright/test';

interface LayoutShift extends PerformanceEntry {
  readonly sources: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
}

/** What has moved on a page since it was opened, and from where to where. */
export const shiftsOf = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const shifts: string[] = [];
        const place = ({ x, y, width, height }: DOMRect) => `${x},${y} ${width}×${height}`;
        const observer = new PerformanceObserver((list) => {
          for (const { sources } of list.getEntries() as LayoutShift[])
            for (const { node, previousRect, currentRect } of sources) {
              const text = node?.textContent?.slice(0, 40);
              shifts.push(
                `${node?.nodeName} "${text}": ${place(previousRect)} to ${place(currentRect)}`,
              );
            }
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        // Buffered entries arrive within two frames.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(shifts)));
      }),
  );
