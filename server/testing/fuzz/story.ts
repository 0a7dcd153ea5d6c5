import type { TestAccount } from '#server/testing/factories.ts';

/** What the requests of one exchange share. */
export interface Story {
  /** The id of what was created last. */
  last: string;
  /** An account of this exchange alone. */
  member: TestAccount | null;
  /** Values made for this exchange, by placeholder. */
  readonly made: Map<string, string>;
}

export const newStory = (): Story => ({ last: '0', member: null, made: new Map() });

/** The value of a placeholder that is new in each exchange, and the same throughout it. */
export function madeOnce(story: Story, key: string, make: () => string): string {
  const value = story.made.get(key) ?? make();
  story.made.set(key, value);
  return value;
}
