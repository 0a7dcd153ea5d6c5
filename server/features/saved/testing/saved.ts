import { savedEndpoints } from '#contract/endpoints/saved.ts';
import type { SavedList } from '#contract/saved/saved.ts';
import type { TestApp } from '#server/testing/app.ts';
import type { Site } from '#server/testing/site.ts';

type Signed = { headers: { authorization: string } };

export const save = (site: Site, account: Signed, ...entries: string[]) =>
  site.as(account).post(savedEndpoints.save, { entries });

export const savedOf = async (
  { app }: Pick<TestApp, 'app'>,
  { headers }: Signed,
): Promise<SavedList> => (await app.inject({ url: '/api/saved/', headers })).json();

export const switchMail = (site: Site, account: Signed, weekly_mail: boolean) =>
  site.as(account).post(savedEndpoints.weeklyMail, { weekly_mail });
