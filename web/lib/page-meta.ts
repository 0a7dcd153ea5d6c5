import type { MetaDescriptor } from 'react-router';

/** The title and the description of a page; the site's own name follows the page's. */
export function pageMeta(title: string, description?: string): MetaDescriptor[] {
  const full = `${title} · Curbside`;
  if (description === undefined) return [{ title: full }];
  return [
    { title: full },
    { name: 'description', content: description },
    { property: 'og:title', content: full },
    { property: 'og:description', content: description },
  ];
}
