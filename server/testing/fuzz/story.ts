import type { FactorSetup } from '#contract/staff.ts';
import type { TestAccount } from '#server/testing/factories.ts';

/** State shared by the requests of one exchange. */
export interface Story {
  /** The id of the latest created item. */
  last: string;
  /** An account used only by this exchange. */
  member: TestAccount | null;
  /** The second factor that its staff account sets up. */
  factor: FactorSetup | null;
  /** The cookie that opens the office, after a correct code. */
  officePass: string;
  /** Values generated for this exchange, by placeholder. */
  readonly made: Map<string, string>;
}

export const newStory = (): Story => ({
  last: '0',
  member: null,
  factor: null,
  officePass: '',
  made: new Map(),
});

/** Returns a placeholder's value, generating it once per exchange. */
export function madeOnce(story: Story, key: string, make: () => string): string {
  const value = story.made.get(key) ?? make();
  story.made.set(key, value);
  return value;
}
