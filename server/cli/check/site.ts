import { randomUUID } from 'node:crypto';
import type { Config } from '#server/config/config.ts';
import { type Finding, reporter } from './result.ts';
import { listed, type Machine } from './settings.ts';

const PATIENCE_MS = 5000;

const { ok, fail } = reporter('site');

/** Whether each server of this machine, and the site's public address, lead to Curbside. */
export async function* checkSite(
  { SERVICE_PORTS }: Machine,
  { publicUrl }: Pick<Config, 'publicUrl'>,
): AsyncGenerator<Finding> {
  for (const port of listed(SERVICE_PORTS)) {
    const answer = await ask(`http://127.0.0.1:${port}/readyz`);
    const name = `curbside-server@${port}`;
    if (answer === 200) yield ok(`${name} is ready`);
    else if (typeof answer === 'number') {
      yield fail(`${name} is not ready (${answer}): see journalctl -u ${name}`);
    } else yield fail(`${name} ${answer}: see systemctl status ${name}`);
  }
  const answer = await ask(`${publicUrl}/healthz`);
  if (answer === 200) yield ok('PUBLIC_URL leads to Curbside');
  else {
    const what = typeof answer === 'number' ? `answers ${answer}` : answer;
    yield fail(`PUBLIC_URL ${what}: check the proxy, its certificate, DNS, and PUBLIC_URL`);
  }
}

/** The status of the answer, or what is wrong. Curbside repeats the id of a request. */
async function ask(url: string): Promise<number | string> {
  const id = randomUUID();
  try {
    const { status, headers } = await fetch(url, {
      headers: { 'x-request-id': id },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (status >= 500) return status;
    return headers.get('x-request-id') === id ? status : 'leads to another program';
  } catch (error) {
    const { code = 'no answer' } = ((error as Error).cause ?? {}) as { code?: string };
    return `cannot be reached (${code})`;
  }
}
