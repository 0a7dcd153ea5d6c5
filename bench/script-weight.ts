import type { Figure } from './figures.ts';
import { startScript } from './processes.ts';

/** The size of the landing page's scripts for a browser that accepts gzip. */
export async function scriptFigures(databaseUrl: string): Promise<Figure[]> {
  await using server = await startScript('cold-server.ts', databaseUrl);
  const html = await (await fetch(server.url)).text();
  const files = new Set(Array.from(html.matchAll(/\/assets\/[\w.-]+\.js/g), ([file]) => file));
  let bytes = 0;
  for (const file of files) {
    const { headers } = await fetch(server.url + file, {
      method: 'HEAD',
      headers: { 'accept-encoding': 'gzip' },
    });
    bytes += Number(headers.get('content-length'));
  }
  return [
    {
      what: 'script of the landing page, gzip',
      measured: bytes / 1000,
      unit: ' kB',
      target: { atMost: 125 },
      note: `${bytes} bytes in ${files.size} files`,
    },
  ];
}
