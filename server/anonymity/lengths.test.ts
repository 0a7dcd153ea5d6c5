import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect } from 'vitest';
import type { Tokens } from '#contract/accounts/accounts.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { accountEndpoints } from '#contract/endpoints/account.ts';
import { feedbackEndpoints } from '#contract/endpoints/feedback.ts';
import { reviewEndpoints } from '#contract/endpoints/reviews.ts';
import { endpoints } from '#contract/endpoints.ts';
import { addMember } from '#server/features/accounts/testing/account-flows.ts';
import { reviewOf } from '#server/testing/factories.ts';
import { type Site, testWith } from '#server/testing/site.ts';
import { createApi } from '#web/lib/api.ts';
import { fakeStorage } from '#web/lib/testing/session-fakes.ts';
import { createTokenStore } from '#web/lib/token-store.ts';
import { orNull } from '#web/lib/transport-error.ts';

/** Someone between browsers and the server, who counts the bytes in both directions. */
async function observe(site: Site) {
  await site.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = site.app.server.address() as AddressInfo;
  const seen = { up: 0, down: 0 };
  const between = createServer((browser) => {
    const server = connect(port, '127.0.0.1');
    browser.on('data', ({ length }) => {
      seen.up += length;
    });
    server.on('data', ({ length }) => {
      seen.down += length;
    });
    browser.pipe(server).pipe(browser);
    for (const socket of [browser, server]) socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  return {
    origin,
    /** The bytes that a call sends and receives. */
    async bytesOf(call: () => Promise<unknown>) {
      const before = { ...seen };
      await call();
      return { up: seen.up - before.up, down: seen.down - before.down };
    },
  };
}

const test = testWith().extend('observer', { scope: 'file' }, ({ site }) => observe(site));

/** The browser's client, signed in. */
function clientOf(origin: string, { access }: Pick<Tokens, 'access'>) {
  return createApi({
    fetch: (path, init) => fetch(new URL(String(path), origin), init),
    tokens: createTokenStore(fakeStorage({ access_token: access }), new EventTarget()),
    now: Date.now,
    cookies: () => '',
    locks: undefined,
    onSessionEnd: () => {},
  });
}

const VERIFIED = { verified: true, can_post_reviews: true };

const SENTENCES = {
  plain: 'Calls are shared fairly, and nobody counts the hours that others are away. ',
  'multi-byte': '“Dr. Núñez’s team” stays — even at 3 o’clock – until you’re done… ',
};

test.for(['plain', 'multi-byte'] as const)(
  'texts of 50 and of 2,500 %s characters have the same length on the wire',
  async (kind, { site, observer }) => {
    const employer = await site.employer();
    const bytesOfAll = async (length: number) => {
      const text = SENTENCES[kind].repeat(60).slice(0, length).trim();
      const api = clientOf(observer.origin, await addMember(site, {}, VERIFIED));
      const review = (position_title: string) =>
        reviewOf(employer, { position_title, review_text: text, pros: '', cons: '' });
      // The first call also sets the CSRF cookie.
      await api.call(reviewEndpoints.listOwn);
      const found: Record<string, { up: number; down: number }> = {};
      const measure = async (name: string, call: () => Promise<unknown>) => {
        found[name] = await observer.bytesOf(call);
      };
      const publish = 'later';
      await measure('post', () => api.call(reviewEndpoints.create, { body: review('Fellow') }));
      await measure('post later', () =>
        api.call(reviewEndpoints.create, { body: { ...review('Resident'), publish } }),
      );
      await measure('list', () => api.call(reviewEndpoints.listOwn));
      const own = await api.call(reviewEndpoints.listOwn);
      const params = (status: string) => ({
        id: own.find((one) => one.status === status)?.id ?? '',
      });
      const at = params('published');
      await measure('edit', () =>
        api.call(reviewEndpoints.edit, { params: at, body: review('Hospitalist') }),
      );
      await measure('publish', () =>
        api.call(reviewEndpoints.publish, { params: params('scheduled') }),
      );
      // The author's own review can be neither reported nor, while it is public, appealed about.
      const rejected = {
        report: () =>
          api.call(feedbackEndpoints.report, {
            params: at,
            body: { reason: 'other', note: text.slice(0, 500) },
          }),
        appeal: () =>
          api.call(reviewEndpoints.appeal, { params: at, body: { text: text.slice(0, 2000) } }),
      };
      for (const [name, call] of Object.entries(rejected)) {
        await measure(name, () => orNull<unknown>(call()));
      }
      await measure('export', () => api.call(accountEndpoints.export));
      return found;
    };
    const short = await bytesOfAll(50);
    expect(await bytesOfAll(2500)).toEqual(short);
    expect(Object.values(short).every(({ up, down }) => up > 0 && down > 0)).toBe(true);
  },
);

test('no response is as long as its content, unless everyone gets it', async ({ site }) => {
  const { headers } = await site.doctor();
  const all = Object.values(endpoints).flatMap((group) => Object.values<Endpoint>(group));
  const personal = all.filter(({ method, access }) => method !== 'GET' || access !== 'public');
  for (const { method, path } of personal) {
    const url = `/api${path.replace(/:\w+/g, () => randomUUID())}`;
    for (const caller of [headers, {}]) {
      const answer = await site.app.inject({
        method,
        url,
        headers: { ...caller, 'accept-encoding': 'br, gzip' },
      });
      const what = `${method} ${path}: ${answer.statusCode}`;
      if (answer.statusCode === 204) continue;
      expect(answer.headers['cache-control'], what).toBe('no-store, no-transform');
      expect(answer.headers, what).not.toHaveProperty('content-encoding');
      expect(answer.rawPayload.length, what).toBeGreaterThanOrEqual(4 * 4096);
      expect(answer.rawPayload.length % 4096, what).toBe(0);
    }
  }
});
