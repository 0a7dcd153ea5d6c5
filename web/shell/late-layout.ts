/** On a busy machine, the browser may never be idle. */
const LONGEST_WAIT_MS = 500;

/** Safari has no idle callbacks. */
const whenIdle = (next: () => void) =>
  'requestIdleCallback' in globalThis
    ? requestIdleCallback(next, { timeout: LONGEST_WAIT_MS })
    : setTimeout(next, 16);

/** Keeps every task shorter than a frame, even on a phone. */
const SLICE_MS = 5;

/**
 * Lays out the cards below the screen, which were skipped in the first paint (`listed-card` in
 * styles/lists.css), a few at a time while the browser is idle.
 */
export function layOutListedCards(): void {
  const { dataset } = document.documentElement;
  if (dataset['firstPage'] === undefined) return;
  const waiting = [...document.querySelectorAll<HTMLElement>('.listed-card')];
  const layOutSome = () => {
    const end = performance.now() + SLICE_MS;
    for (let card = waiting.shift(); card; card = waiting.shift()) {
      card.style.contentVisibility = 'visible';
      const isLaidOut = card.offsetHeight > 0;
      if (isLaidOut && performance.now() > end) break;
    }
    if (waiting.length > 0) whenIdle(layOutSome);
    else delete dataset['firstPage'];
  };
  whenIdle(layOutSome);
}
