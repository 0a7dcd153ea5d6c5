import { paths } from '#web/lib/paths.ts';

/** On a phone its own sheet shares, with the apps it has; elsewhere the address is copied. */
export async function shareReview(id: string, title: string): Promise<string | null> {
  const url = new URL(paths.review(id), window.location.href).href;
  if (canShare()) {
    try {
      await navigator.share({ title, url });
      return null;
    } catch (error) {
      if (isNamed(error, 'AbortError')) return null;
      // The sheet could not be opened: the address can still be copied.
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    return 'Link copied';
  } catch {
    // Not allowed, or not there at all: outside https there is no clipboard.
    return `Copy this link: ${url}`;
  }
}

const canShare = () => 'share' in navigator && window.matchMedia('(pointer: coarse)').matches;

const isNamed = (error: unknown, name: string) =>
  error instanceof DOMException && error.name === name;
