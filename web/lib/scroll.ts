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

/** The scroll positions of pages that were left, by the key of their history entry. */
const positions = new Map<string, number>();

export const keepScroll = (key: string, top: number) => positions.set(key, top);

/** 0 (the top) if no position was kept. */
export const keptScroll = (key: string) => positions.get(key) ?? 0;

/** Navigation state of a link to another page of the same list, which starts at the top. */
export interface OtherPageState {
  isOtherPage: true;
}

/** Navigation state for a page that scrolls to one of its parts and focuses it. */
export interface OwnScrollState {
  scrollsItself: true;
}

export const scrollsItself = (state: unknown): boolean =>
  (state as Partial<OwnScrollState> | null)?.scrollsItself === true;

export const leadsToOtherPage = (state: unknown): boolean =>
  (state as Partial<OtherPageState> | null)?.isOtherPage === true;
