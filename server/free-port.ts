import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Replaces `PORT=0` with a free port, because the address of the site depends on it unless PUBLIC_URL
 * names one. If none can be had, the server says why when it listens.
 */
export async function withFreePort(settings: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const { PORT, HOST, PUBLIC_URL } = settings;
  if (!PORT || Number(PORT) !== 0 || PUBLIC_URL) return settings;
  const server = createServer();
  try {
    server.listen(0, HOST || '127.0.0.1');
    await once(server, 'listening');
    return { ...settings, PORT: String((server.address() as AddressInfo).port) };
  } catch {
    return settings;
  } finally {
    server.close();
  }
}
