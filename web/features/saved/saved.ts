import { savedEndpoints } from '#contract/endpoints/saved.ts';
import { api, session, settledSession } from '#web/lib/session.ts';
import { browserEvents, browserStorage, useStore } from '#web/lib/store.ts';
import { call, pageWrites } from '#web/lib/write.ts';
import { createBrowserList, createSavedStore } from './saved-store.ts';

/** Shared by everything on the page. */
export const saved = createSavedStore({
  api,
  session,
  settled: settledSession,
  browser: createBrowserList(browserStorage, browserEvents),
  // For the menu, which does without this script (styles/lists.css). Without a count, the property is
  // not set: that would style the whole page again.
  onCount: (count) =>
    globalThis.document?.documentElement.style.setProperty('--saved', count ? `" ${count}"` : ''),
});

export const useSaved = () => useStore(saved, (current) => current);

export const savedWrites = pageWrites(
  { weeklyMail: call(savedEndpoints.weeklyMail, saved.show) },
  { revalidates: [] },
);
