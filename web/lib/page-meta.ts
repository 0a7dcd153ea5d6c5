import type { MetaDescriptor } from 'react-router';

/** The title and description of a page. The site's name is appended to the title. */
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
