/** Bare node:http that sends a prepared answer: `bare-server.ts HEAD BODY`, both in files. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [head = '', body = ''] = process.argv.slice(2);
const headers: string[] = JSON.parse(readFileSync(head, 'utf8'));
const bytes = readFileSync(body);

const server = createServer((_request, response) => {
  response.writeHead(200, headers).end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
