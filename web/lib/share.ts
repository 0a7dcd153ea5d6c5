/**
 * Shares the URL of a page of this site: opens the share sheet on a phone, and copies the URL
 * elsewhere. Returns a message for the user, if any.
 */
export async function shareAddress(path: string, title: string): Promise<string | null> {
  const url = new URL(path, window.location.href).href;
  if (canShare()) {
    try {
      await navigator.share({ title, url });
      return null;
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return null;
      // The sheet could not be opened. Copy the URL instead.
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    return 'Link copied';
  } catch {
    // The browser denied access, or has no clipboard because the page was not loaded over HTTPS.
    return `Copy this link: ${url}`;
  }
}

const canShare = () => 'share' in navigator && window.matchMedia('(pointer: coarse)').matches;
