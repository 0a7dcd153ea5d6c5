import { useState } from 'react';
import { useHydrated } from '#web/lib/use-hydrated.ts';

/**
 * Facts about the page in JSON-LD (schema.org), for those who read what the server sends. A page
 * that the browser makes later goes without: Trusted Types keep scripts from being written there.
 * Give it what the facts are about as `key`.
 */
export function StructuredData({ facts }: { facts: object }) {
  const isHydrated = useHydrated();
  const [json] = useState(() =>
    // Nothing in it may end the element.
    isHydrated ? null : JSON.stringify(facts).replaceAll('<', '\\u003c'),
  );
  if (json === null) return null;
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON without a '<'
    <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />
  );
}
