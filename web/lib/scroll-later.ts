/**
 * Scrolls after a delay, unless the user presses something first, because a page that moves during
 * a press loses the click. Returns a function that cancels the scroll.
 */
export function scrollLater(scroll: () => void, delayMs: number): () => void {
  const timer = setTimeout(() => {
    stop();
    scroll();
  }, delayMs);
  const stop = () => {
    clearTimeout(timer);
    document.removeEventListener('pointerdown', stop, true);
  };
  document.addEventListener('pointerdown', stop, true);
  return stop;
}
