import { TIME_OUTS } from '#server/time-outs.ts';
import { readNppes } from './nppes.ts';
import { type NpiRegistry, RegistryUnavailable } from './registry.ts';

/** An answer about one number is some 5 kB. */
const MAX_BYTES = 256 * 1024;

/** Asks a registry with the API of CMS's, at `NPI_REGISTRY_URL`. */
export function httpNpiRegistry(
  baseUrl: string,
  timeoutMs: number = TIME_OUTS.npiRegistry.ms,
): NpiRegistry {
  return {
    async lookUp(npi) {
      const url = new URL(baseUrl);
      url.searchParams.set('version', '2.1');
      url.searchParams.set('number', npi);
      const answer = readNppes(npi, await fetchJson(url, timeoutMs));
      if (!answer) throw new RegistryUnavailable('answered in an unknown format');
      return answer;
    },
  };
}

async function fetchJson(url: URL, timeoutMs: number): Promise<unknown> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      // The NPI goes over TLS to the configured registry, and nowhere else.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new RegistryUnavailable(`answered ${response.status}`);
    }
    return JSON.parse(await readText(response));
  } catch (error) {
    if (error instanceof RegistryUnavailable) throw error;
    // Errors of fetch quote the URL, which contains the NPI.
    throw new RegistryUnavailable(reasonOf(error));
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new RegistryUnavailable('sent too large an answer');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'took too long';
  if (error instanceof SyntaxError) return 'did not answer in JSON';
  return 'cannot be reached';
}
