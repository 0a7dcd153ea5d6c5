import process from 'node:process';
import { buildColdApp } from './cold-app.ts';
import type { Figure } from './figures.ts';

const ROUNDS = 150;
const PAGES = ['/', '/reviews', '/employers', '/employers/1', '/compare?ids=1,2,3'];

/** The CPU time of an uncached page, with its usual compression. */
export async function pageFigures(databaseUrl: string): Promise<Figure[]> {
  const { app, close } = await buildColdApp(databaseUrl);
  const askOften = async (url: string) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const answer = await app.inject({ url, headers: { 'accept-encoding': 'br' } });
      if (answer.statusCode !== 200) throw new Error(`${url} returned ${answer.statusCode}`);
    }
  };
  const figures: Figure[] = [];
  for (const page of PAGES) {
    await askOften(page);
    const before = process.cpuUsage();
    await askOften(page);
    const { user, system } = process.cpuUsage(before);
    figures.push({
      what: `cold page ${page}: CPU time`,
      measured: (user + system) / 1000 / ROUNDS,
      unit: ' ms',
      target: { atMost: 8 },
    });
  }
  await close();
  return figures;
}
