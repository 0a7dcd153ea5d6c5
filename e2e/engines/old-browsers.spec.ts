import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { paths } from '#web/lib/paths.ts';
import { PHONE } from '../account.ts';
import { newerPlaces } from '../newer-features.ts';
import { nameOf, newEmployer, newPoster, newTitle } from '../review.ts';
import { signIn } from './account.ts';
import { button, field, heading, link, option } from './find.ts';
import { test } from './fixtures.ts';
import { writeReview } from './review.ts';

/** What browsers have only on https and localhost. */
const SECURE = [
  'Crypto.prototype.randomUUID',
  'Crypto.prototype.subtle',
  'Navigator.prototype.locks',
];
/** How tests see what is visible. */
const LOOK = 'Element.prototype.checkVisibility';

/** Removes what the oldest browsers of the promise lack, on a site without https. */
const AS_OLDEST = `{
  for (const place of ${JSON.stringify([...newerPlaces, ...SECURE].filter((each) => each !== LOOK))}) {
    const names = place.replace(/^Window\\./, '').split('.');
    const last = names.pop();
    const owner = names.reduce((object, name) => object?.[name], window);
    if (owner) delete owner[last];
  }
  // The engine would still open popovers, and has styles for them.
  addEventListener('click', (event) => {
    if (event.target.closest('[popovertarget]')) event.preventDefault();
  }, true);
  const rulesIn = ({ conditionText, cssRules = [] }) =>
    conditionText?.includes(':popover-open')
      ? [...cssRules].map(({ cssText }) => cssText)
      : [...cssRules].flatMap(rulesIn);
  addEventListener('load', () => {
    const sheet = new CSSStyleSheet();
    const rules = [...document.styleSheets].flatMap(rulesIn);
    sheet.replaceSync('@layer base { [popover] { display: block }' + rules.join('') + '}');
    document.adoptedStyleSheets = [sheet];
  });
}`;

test.describe('in the oldest browsers of the promise', () => {
  test.use({ script: AS_OLDEST });

  test('a doctor finds an employer, signs in, and reviews it', async ({ tab, server }) => {
    const employer = nameOf(await newEmployer(server));
    const { email } = await newPoster(server);
    const text = `Nobody here is rushed, ${newTitle()}.`;
    await tab.open(paths.home(), PHONE);
    await tab.fill(field('Find an employer, a specialty, or a position'), employer);
    await tab.click(option(new RegExp(`^${employer}`)));
    await tab.sees(heading(employer));
    await signIn(tab, email);
    await writeReview(tab, employer, text);
    await tab.click(link('Go to my dashboard'));
    await tab.sees(heading('My Reviews (1)'));
    await tab.sees(text);
    await tab.gone('too old');
  });

  test('the menu opens over the page, and closes on Escape or a press outside', async ({ tab }) => {
    const bar = { role: 'navigation', name: 'Main' };
    const menu = button('Menu');
    const last = link('Join now', bar);
    await tab.open(paths.howItWorks(), PHONE);
    await tab.sees({ ...menu, expanded: false });
    await tab.click(menu);
    await tab.sees({ ...menu, expanded: true });
    await tab.with(last, ([item]) => item?.focus());
    await tab.press('Escape');
    await tab.gone(last);
    await tab.sees({ ...menu, expanded: false });
    await tab.until('the button has the focus', () =>
      Boolean(document.activeElement?.hasAttribute('popovertarget')),
    );
    await tab.press('Enter');
    await tab.sees(last);
    await tab.click({ text: 'All rights reserved.' });
    await tab.gone(last);
    await tab.click(menu);
    await tab.click(last);
    await tab.at(paths.signup());
    await tab.gone(last);
  });
});

test.describe('in a browser that cannot read the scripts', () => {
  // Its errors are expected.
  test.use({ script: "addEventListener('error', (event) => event.preventDefault());" });

  test('a page says that the browser is too old, and which are not', async ({ tab, server }) => {
    const site = createServer(async ({ url = '' }, answer) => {
      const page = await fetch(server.url + url);
      for (const name of ['content-type', 'content-security-policy'])
        answer.setHeader(name, page.headers.get(name) ?? '');
      answer.end(url.endsWith('.js') ? 'in a newer syntax' : await page.bytes());
    }).listen(0, '127.0.0.1');
    // A failed test would leave it open.
    await once(site.unref(), 'listening');
    const { port } = site.address() as AddressInfo;
    await tab.resize(PHONE);
    await tab.goto(`http://127.0.0.1:${port}${paths.login()}`);
    await tab.sees('This browser is too old to sign in. Safari 16.4, Firefox 115, Chrome 111, ');
  });
});
