import { readRecoveryCode } from '#contract/recovery-code.ts';

/** What to say if the code that was typed back is not the one shown (`7K2MD-…`). Null if it is. */
export function codeDifference(shown: string, typed: string): string | null {
  const code = readRecoveryCode(typed);
  let start = 0;
  for (const [place, group] of shown.split('-').entries()) {
    if (!code.startsWith(group, start)) {
      return `Group ${place + 1} is not the same as in the code we showed you. Please check it, or go back to see the code again.`;
    }
    start += group.length;
  }
  return null;
}
