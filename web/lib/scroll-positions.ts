/** How far down a page was scrolled when it was left, by the key of its history entry. */
const positions = new Map<string, number>();

/** For pages that a reader leaves and returns to. */
export const keepScroll = (key: string, top: number) => positions.set(key, top);

/** 0 (the top) if no position was kept. */
export const keptScroll = (key: string) => positions.get(key) ?? 0;
