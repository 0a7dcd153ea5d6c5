/** How far down a page was scrolled when it was left, by the key of its history entry. */
const places = new Map<string, number>();

/** For pages that one leaves to look something up, and comes back to. */
export const keepPlace = (key: string, top: number) => places.set(key, top);

/** The top, where no place was kept. */
export const keptPlace = (key: string) => places.get(key) ?? 0;
