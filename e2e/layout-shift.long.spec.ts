import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { paths } from '#web/lib/paths.ts';
import { DESKTOP } from './account.ts';
import { extremes } from './employers.ts';
import { expect, test } from './fixtures.ts';
import { openLive } from './hydration.ts';
import { shiftsOf } from './layout-shift.ts';
import type { TestServer } from './server.ts';

const PIECES = 20;
/** Enough for a paint in between. */
const PAUSE_MS = 40;

/** Passes requests on to a server, and its pages back in pieces. Returns its address. */
async function slowly(server: TestServer) {
  const proxy = createServer(async (request, response) => {
    const answer = await fetch(server.url + request.url, { redirect: 'manual' });
    const body = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    response.writeHead(answer.status, { 'content-type': type });
    const length = type.includes('html') ? Math.ceil(body.length / PIECES) : body.length + 1;
    for (let at = 0; at < body.length; at += length) {
      if (at > 0) await pause(PAUSE_MS);
      response.write(body.subarray(at, at + length));
    }
    response.end();
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  return { url: `http://localhost:${port}`, close: () => proxy.close() };
}

test('a page that arrives in pieces is painted whole: nothing moves', async ({ page, server }) => {
  const { most } = await extremes(server);
  const proxy = await slowly(server);
  await page.setViewportSize(DESKTOP);
  for (const path of [paths.home(), paths.employers(), paths.employer(most.id)]) {
    await openLive(page, proxy.url + path);
    expect(await shiftsOf(page), path).toEqual([]);
  }
  proxy.close();
});
