import type { LightMyRequestResponse } from 'fastify';
import type { SavedList } from '#contract/saved.ts';
import type { TestApp } from '#server/testing/app.ts';

type Signed = { headers: { authorization: string } };

/** Sends JSON to a path under `/api/saved`. */
export const post = (
  { app }: Pick<TestApp, 'app'>,
  path: string,
  payload: object,
  { headers }: Partial<Signed> = {},
): Promise<LightMyRequestResponse> =>
  app.inject({ method: 'POST', url: `/api/saved${path}`, payload, ...(headers && { headers }) });

export const save = (server: TestApp, account: Signed, ...entries: string[]) =>
  post(server, '/', { entries }, account);

export const savedOf = async ({ app }: TestApp, { headers }: Signed): Promise<SavedList> =>
  (await app.inject({ url: '/api/saved/', headers })).json();

export const switchMail = (server: TestApp, account: Signed, weekly_mail: boolean) =>
  post(server, '/weekly-mail/', { weekly_mail }, account);
