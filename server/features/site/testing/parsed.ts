import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { TestApp } from '#server/testing/app.ts';

const LISTS = ['sitemap', 'url', 'entry', 'link'];
const parser = new XMLParser({
  ...{ ignoreAttributes: false, attributeNamePrefix: '@', parseTagValue: false },
  ...{ trimValues: false, htmlEntities: true },
  isArray: (name) => LISTS.includes(name),
});

/** Loads an XML document, which must be well-formed. */
export async function loadXml({ app }: TestApp, url: string) {
  const answer = await app.inject(url);
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`);
  const valid = XMLValidator.validate(answer.body);
  if (valid !== true) throw new Error(`${url}: ${valid.err.msg} in line ${valid.err.line}`);
  return { ...parser.parse(answer.body), type: answer.headers['content-type'], body: answer.body };
}

export interface Address {
  loc: string;
  lastmod?: string;
}

/** All files of the sitemap, and the addresses in them. */
export async function loadSitemap(server: TestApp) {
  const { publicUrl } = server.deps.config;
  const index = await loadXml(server, '/sitemap.xml');
  const files: Address[] = index.sitemapindex.sitemap;
  const addresses: Address[][] = [];
  for (const { loc } of files) {
    const { urlset } = await loadXml(server, loc.slice(publicUrl.length));
    addresses.push(urlset.url);
  }
  const paths = addresses.flat().map(({ loc }) => loc.slice(publicUrl.length));
  return { files, addresses, paths };
}
