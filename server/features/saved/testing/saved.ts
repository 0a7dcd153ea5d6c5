import { savedEndpoints } from '#contract/endpoints/saved.ts';
import type { Site } from '#server/testing/site.ts';

type Signed = { headers: { authorization: string } };

export const save = (site: Site, account: Signed, ...entries: string[]) =>
  site.as(account).post(savedEndpoints.save, { entries });

export const savedOf = async (site: Site, account: Signed) =>
  (await site.as(account).get(savedEndpoints.list)).body;

export const switchMail = (site: Site, account: Signed, weekly_mail: boolean) =>
  site.as(account).post(savedEndpoints.weeklyMail, { weekly_mail });
