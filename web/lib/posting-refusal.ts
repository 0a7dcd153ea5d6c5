/**
 * The review form leads a read-only account to the profile, which then says why, once. The address
 * must stay `/profile`, and a redirect of a loader carries nothing else.
 */
let isNoted = false;

export function notePostingRefusal(): void {
  isNoted = true;
}

/** Whether the review form has just led here. */
export function takePostingRefusal(): boolean {
  const wasNoted = isNoted;
  isNoted = false;
  return wasNoted;
}
