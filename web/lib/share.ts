/**
 * Shares the address of a page of this site: opens the share sheet on a phone, and elsewhere copies
 * the address. Returns what to tell the user.
 */
export async function shareAddress(path: string, title: string): Promise<string | null> {
  const url = new URL(path, window.location.href).href;
  if (canShare()) {
    try {
      await navigator.share({ title, url });
      return null;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return null;
      // The sheet could not be opened: copy the address instead.
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    return 'Link copied';
  } catch {
    // Not allowed, or not available: without https, there is no clipboard.
    return `Copy this link: ${url}`;
  }
}

const canShare = () => 'share' in navigator && window.matchMedia('(pointer: coarse)').matches;
