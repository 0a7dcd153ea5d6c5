import { expect, test, vi } from 'vitest';
import { newSite } from '#server/testing/site.ts';

test('a health check is logged only when its answer changes', async () => {
  const lines: string[] = [];
  const logTo = (line: string) => void lines.push(line);
  const site = await newSite({ config: { logLevel: 'info' }, logTo });
  const ask = async (url: string) => {
    for (let times = 0; times < 3; times += 1) await site.app.inject(url);
  };
  const logged = () =>
    lines
      .splice(0)
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'answered')
      .map(({ route, status }) => `${route} ${status}`);
  await ask('/readyz');
  await ask('/healthz');
  await ask('/api/csrf/');
  const other = Array<string>(3).fill('/api/csrf/ 204');
  expect(logged()).toEqual(['/readyz 200', '/healthz 200', ...other]);
  const query = vi
    .spyOn(site.deps.database.pool, 'query')
    .mockRejectedValue(new Error('gone') as never);
  await ask('/readyz');
  expect(logged()).toEqual(['/readyz 503']);
  query.mockRestore();
  await ask('/readyz');
  expect(logged()).toEqual(['/readyz 200']);
});
