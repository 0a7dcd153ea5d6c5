import { describe, expect } from 'vitest';
import { test } from '#server/testing/site.ts';

const ANSWERS: [what: string, method: 'GET' | 'POST', url: string][] = [
  ['a fresh list', 'GET', '/api/employers/'],
  ['a cached list', 'GET', '/api/employers/'],
  ['health', 'GET', '/healthz'],
  ['the API documentation', 'GET', '/api/docs/'],
  ['an unknown path', 'GET', '/api/nothing/'],
  ['no access', 'GET', '/api/auth/user/'],
  ['an invalid body', 'POST', '/api/auth/login/'],
];

describe('every response has the protective headers', () => {
  test.for(ANSWERS)('%s', async ([, method, url], { site }) => {
    const { headers } = await site.app.inject({ method, url });
    const [, age] = /^max-age=(\d+); includeSubDomains/i.exec(
      String(headers['strict-transport-security']),
    ) ?? [null, 0];
    expect(Number(age)).toBeGreaterThanOrEqual(365 * 24 * 3600);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toMatch(/^(?:same-origin|no-referrer)$/);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/(?:default|object)-src 'none'/);
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-(?:inline|eval)/);
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  // JSON is always UTF-8 (RFC 8259, section 8.1) and has no charset parameter.
  test.for(ANSWERS)(
    '%s: has its content type and character set',
    async ([, method, url], { site }) => {
      const { headers } = await site.app.inject({ method, url });
      expect(headers['content-type']).toMatch(
        /^(?:application\/(?:problem\+)?json(?:; charset=utf-8)?|text\/html; charset=utf-8)$/i,
      );
    },
  );
});

test('no other site may read a response, regardless of its origin', async ({ site }) => {
  for (const origin of ['https://evil.example', 'null', 'http://localhost:3000.evil.example']) {
    for (const method of ['GET', 'OPTIONS'] as const) {
      const headers = { origin, 'access-control-request-method': 'POST' };
      const answer = await site.app.inject({ method, url: '/api/employers/', headers });
      const allowed = Object.keys(answer.headers).filter((name) => /^access-control/.test(name));
      expect(allowed, `${method} from ${origin}`).toEqual([]);
    }
  }
});
