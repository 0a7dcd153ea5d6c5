import type { Figure } from './figures.ts';
import { type BenchServer, cpuMs, startScript } from './processes.ts';

const ROUNDS = 150;
const PAGES = ['/', '/reviews', '/employers', '/employers/1', '/compare?ids=1,2,3'];

/** The CPU time of an uncached page, with its usual compression. */
export async function pageFigures(databaseUrl: string): Promise<Figure[]> {
  await using server = await startScript('cold-server.ts', databaseUrl);
  const figures: Figure[] = [];
  for (const path of PAGES) {
    await askOften(server, path);
    const before = cpuMs(server.pid);
    await askOften(server, path);
    const after = cpuMs(server.pid);
    figures.push({
      what: `cold page ${path}: CPU time`,
      measured: before === null || after === null ? null : (after - before) / ROUNDS,
      unit: ' ms',
      target: { atMost: 8 },
    });
  }
  return figures;
}

async function askOften({ url }: BenchServer, path: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const answer = await fetch(url + path, { headers: { 'accept-encoding': 'br' } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} returned ${answer.status}`);
  }
}
