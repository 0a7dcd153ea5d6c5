import type { TestApp } from './app.ts';
import type { TestAccount } from './factories.ts';

/** Calls `/api{path}`, with the session of `account` if there is one. */
export const callApi = (
  { app }: Pick<TestApp, 'app'>,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  account?: Pick<TestAccount, 'headers'>,
  payload?: object,
) =>
  app.inject({
    method,
    url: `/api${path}`,
    ...(account && { headers: account.headers }),
    ...(payload && { payload }),
  });

/** The arguments of `callApi`, except for the server. */
export type ApiCall = Parameters<typeof callApi> extends [unknown, ...infer Rest] ? Rest : never;
