/**
 * Scrolls after a delay, unless something is pressed before: a page that moves under a press loses
 * the click. Returns how to call it off.
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
