import type { Page } from '@playwright/test';

interface LayoutShift extends PerformanceEntry {
  readonly value: number;
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
          for (const { value, sources } of list.getEntries() as LayoutShift[]) {
            // What moved may be gone.
            shifts.push(`a shift of ${value}`);
            for (const { node, previousRect, currentRect } of sources) {
              const text = node?.textContent?.slice(0, 40);
              shifts.push(
                `${node?.nodeName} "${text}": ${place(previousRect)} to ${place(currentRect)}`,
              );
            }
          }
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        // Buffered entries arrive within two frames.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(shifts)));
      }),
  );
