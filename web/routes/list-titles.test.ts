import { RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { apiContext } from '#web/lib/render-context.ts';
import * as employers from './employers.tsx';
import * as reviews from './reviews.tsx';

/** The title of a list whose URL has this query, if the API answers with this status. */
async function titleOf(page: typeof employers | typeof reviews, query: string, status: number) {
  const context = new RouterContextProvider();
  context.set(apiContext, async () =>
    Response.json({ results: [], errors: { x: ['No'] } }, { status }),
  );
  const request = new Request(`https://curbside.example/list?${query}`);
  const { data } = await page.loader({ context, request } as never);
  return page.meta({ loaderData: data } as never)[0];
}

test.for([
  ['min_rating=4', reviews, 'Reviews by practitioners', 'Reviews by practitioners: 4+ stars'],
  ['trauma_level=Level I', employers, 'Employers', 'Employers: Trauma Level I'],
] as const)('the title has %s unless it is refused', async ([query, page, refused, title]) => {
  for (const status of [200, 429, 500, 503]) {
    expect(await titleOf(page, query, status)).toEqual({ title: `${title} · Curbside` });
  }
  expect(await titleOf(page, query, 400)).toEqual({ title: `${refused} · Curbside` });
});
