import { expect, onTestFinished } from 'vitest';
import { PREVIEW } from '#contract/discovery.ts';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { test } from '#server/testing/site.ts';
import type { Card } from './card.ts';
import { drawCard } from './card.ts';
import { drawings } from './drawings.ts';
import { wrap } from './typesetting.ts';

/** The first image takes a second of processor time: a thread, fonts, and WebAssembly start. */
const SLOW = { timeout: 60_000 };

/** Width and height of a PNG image (ISO/IEC 15948, section 11.2.2). */
function sizeOf(image: Buffer) {
  expect(image.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  return { width: image.readUInt32BE(16), height: image.readUInt32BE(20) };
}

const CARD: Card = { title: 'Hospital', subtitle: 'Boston, MA', rating: 4.3, note: '12 reviews' };

test("an employer's preview image changes with its rating", SLOW, async ({ site }) => {
  const employer = await site.employer();
  const url = `/employers/${employer}/preview.png`;
  const before = await site.app.inject(url);
  expect(before.headers).toMatchObject({
    ...{ 'content-type': 'image/png', 'cache-control': 'public, no-cache' },
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(sizeOf(before.rawPayload)).toEqual(PREVIEW);
  await site.review({ at: employer });
  const after = await site.app.inject(url);
  expect(sizeOf(after.rawPayload)).toEqual(PREVIEW);
  expect(after.headers.etag).not.toBe(before.headers.etag);
  expect(sizeOf((await site.app.inject('/preview.png')).rawPayload)).toEqual(PREVIEW);
});

test('the image of a merged employer redirects; an unknown one has none', async ({ site }) => {
  const [employer, into] = [await site.employer(), await site.employer()];
  const admin = site.as(await site.admin());
  await admin.post(employerEndpoints.merge, { into }, { params: { id: employer } });
  const moved = await site.app.inject(`/employers/${employer}/preview.png`);
  const location = `/employers/${into}/preview.png`;
  expect([moved.statusCode, moved.headers.location]).toEqual([301, location]);
  expect((await site.app.inject('/employers/999999/preview.png')).statusCode).toBe(404);
});

test('an image is drawn once for its card, and too many at once are rejected', SLOW, async () => {
  const images = drawings(2);
  onTestFinished(() => images.close());
  const first = await images.imageOf(CARD);
  expect(await images.imageOf({ ...CARD })).toBe(first);
  const asked = [0, 1, 2, 3, 4].map((at) => images.imageOf({ ...CARD, title: `Hospital ${at}` }));
  const settled = await Promise.allSettled(asked);
  const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(refused).toEqual(Array(2).fill('unavailable'));
  // Nothing is left in the queue.
  expect(sizeOf(await images.imageOf({ ...CARD, title: 'Another' }))).toEqual(PREVIEW);
});

test('drawing continues after its thread has ended', SLOW, async () => {
  const images = drawings();
  onTestFinished(() => images.close());
  const drawing = images.imageOf(CARD);
  await images.close();
  await expect(drawing).rejects.toThrow();
  expect(sizeOf(await images.imageOf(CARD))).toEqual(PREVIEW);
});

test.each([
  ['a long name', 'University Hospital of the Combined Health Sciences Centers '.repeat(4)],
  ['one long word', 'Pneumono'.repeat(40)],
  ['letters that the fonts lack', 'Łódź 漢字 😀 İzmir'],
  ['markup', '<svg onload="alert(1)">&amp;"]]>'],
  ['nothing that can be drawn', '漢字'],
])('draws %s within its width', (_, title) => {
  const svg = drawCard({ ...CARD, title });
  expect(svg).not.toContain('onload');
  // Stars have their own coordinate system.
  for (const [, x, y] of svg.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)) {
    expect(Number(x)).toBeLessThanOrEqual(PREVIEW.width - 60);
    expect(Number(y)).toBeLessThanOrEqual(PREVIEW.height - 40);
  }
});

test('breaks lines between words', () => {
  const style = { face: 'display', size: 92 } as const;
  const lines = ['Massachusetts General', 'Hospital'];
  expect(wrap(lines.join(' '), style, 1040)).toEqual(lines);
  expect(wrap('Incomprehensibilities', style, 300)).toEqual([expect.stringMatching(/^Inco.*…$/)]);
});
