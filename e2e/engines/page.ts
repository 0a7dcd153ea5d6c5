import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { isHydrated } from '../hydration.ts';
import { ROOT } from '../server.ts';
import type { Key, Size, Tab } from './engine.ts';
import { findInPage, type Target } from './find.ts';

const LIBRARY = readFileSync(
  path.join(ROOT, 'node_modules/@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
  'utf8',
);
const WAIT = { timeout: 15_000, intervals: [20, 50, 100] };

type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | { readonly [key: string]: Value }
  | readonly Value[];

/** Lets `idle` know of the page's requests. */
export const COUNT_REQUESTS = `{
  const send = window.fetch;
  window.requestsUnderWay = 0;
  const ended = () => void (window.requestsUnderWay -= 1);
  window.fetch = (...args) => {
    window.requestsUnderWay += 1;
    const answer = send(...args);
    answer.then((response) => response.clone().arrayBuffer()).then(ended, ended);
    return answer;
  };
}`;

/** A page in any engine. Each method waits until it can do what it says. */
export class Page {
  private readonly tab: Tab;
  private readonly origin: string;

  constructor(tab: Tab, origin: string) {
    this.tab = tab;
    this.origin = origin;
  }

  goto(path: string): Promise<void> {
    return step(`go to ${path}`, () => this.tab.goto(new URL(path, this.origin).href));
  }

  /** Opens one of the product's pages, and waits for hydration. */
  async open(path: string, size?: Size): Promise<void> {
    if (size) await this.resize(size);
    await this.goto(path);
    await this.until(`${path} is hydrated`, isHydrated);
  }

  /** Like the browser's button. The driver's own command waits for pages that are not loaded again. */
  back(): Promise<void> {
    return step('go back', () => this.run(() => history.back()));
  }

  run<A extends readonly Value[], R>(call: (...args: A) => R | Promise<R>, ...args: A): Promise<R> {
    return this.tab.evaluate(`(${call})(...${JSON.stringify(args)})`) as Promise<R>;
  }

  /** Waits until a function of the page returns true. */
  until<A extends readonly Value[]>(
    what: string,
    call: (...args: A) => boolean,
    ...args: A
  ): Promise<void> {
    return step(`wait until ${what}`, () =>
      retry(async () => expect(await this.run(call, ...args), what).toBe(true)),
    );
  }

  /** Waits until the page shows an element, or a text. */
  sees(target: Target | string): Promise<void> {
    return step(`see ${nameOf(target)}`, () =>
      retry(async () => expect(await this.count(target), nameOf(target)).toBeGreaterThan(0)),
    );
  }

  gone(target: Target | string): Promise<void> {
    return step(`no longer see ${nameOf(target)}`, () =>
      retry(async () => expect(await this.count(target), nameOf(target)).toBe(0)),
    );
  }

  count(target: Target | string): Promise<number> {
    return this.with(target, (found) => found.length);
  }

  /** Waits for an address of the site. */
  at(path: string): Promise<void> {
    return this.until(`at ${path}`, (path) => location.pathname + location.search === path, path);
  }

  /** Waits until the page has no requests under way. Firefox keeps no other pages in its cache. */
  idle(): Promise<void> {
    return this.until(
      'idle',
      () => Reflect.get(window, 'requestsUnderWay') === 0 && document.fonts.status === 'loaded',
    );
  }

  click(target: Target): Promise<void> {
    return step(`click ${nameOf(target)}`, async () => {
      const { x, y } = await retry(() => this.with(target, pointIn));
      await this.tab.click(x, y);
    });
  }

  /** Types into a field, in place of what is there. */
  fill(target: Target, value: string): Promise<void> {
    return step(`fill ${nameOf(target)}`, async () => {
      await this.click(target);
      await this.with(target, ([field]) => (field as HTMLInputElement).select());
      await this.tab.type(value);
      await retry(async () => expect(await this.valueOf(target)).toBe(value));
    });
  }

  valueOf(target: Target): Promise<string> {
    return this.with(target, ([field]) => (field as HTMLInputElement).value);
  }

  /** Chooses from a native list, which drivers cannot see. */
  choose(target: Target, option: string): Promise<void> {
    return step(`choose ${option}`, () => retry(() => this.with(target, chooseIn, option)));
  }

  press(key: Key): Promise<void> {
    return step(`press ${key}`, () => this.tab.press(key));
  }

  resize(size: Size): Promise<void> {
    return step(`resize to ${size.width} px`, () => this.tab.resize(size));
  }

  screenshot(): Promise<Buffer> {
    return this.tab.screenshot();
  }

  /** Calls a function of the page with the visible elements that match. */
  async with<A extends readonly Value[], R>(
    target: Target | string,
    call: (found: HTMLElement[], ...args: A) => R | Promise<R>,
    ...args: A
  ): Promise<R> {
    const json = JSON.stringify(
      typeof target === 'string' ? { text: target } : target,
      (_, value) => (value instanceof RegExp ? { source: value.source } : value),
    );
    const rest = JSON.stringify(args);
    const expression = `(${findInPage})(${json}, (found) => (${call})(found, ...${rest}))`;
    const found = await this.tab.evaluate(expression);
    if (found !== 'no library') return found as R;
    await this.tab.evaluate(`(() => {${LIBRARY}\n})()`);
    return (await this.tab.evaluate(expression)) as R;
  }
}

/** The place of a failure is where the test calls the page. */
const step = <T>(title: string, body: () => Promise<T>) => test.step(title, body, { box: true });

async function retry<T>(attempt: () => Promise<T>): Promise<T> {
  let result: { readonly value: T } | undefined;
  await expect(async () => {
    result = { value: await attempt() };
  }).toPass(WAIT);
  if (!result) throw new Error('toPass has passed without an attempt');
  return result.value;
}

const nameOf = (target: Target | string): string =>
  typeof target === 'string'
    ? `“${target}”`
    : Object.values(target)
        .map((part) =>
          part instanceof RegExp ? part : typeof part === 'object' ? `in ${nameOf(part)}` : part,
        )
        .join(' ');

/** Where the mouse hits an element, once it rests. */
async function pointIn(found: HTMLElement[]): Promise<{ x: number; y: number }> {
  const [element, ...others] = found;
  if (!element || others.length > 0) throw new Error(`${found.length} elements match`);
  if (element.matches(':disabled')) throw new Error('it is disabled');
  // Radio buttons are for the keyboard, and their labels for the mouse.
  const shown =
    (element.matches('[type=radio]') && (element as HTMLInputElement).labels?.[0]) || element;
  shown.scrollIntoView({ block: 'center', behavior: 'instant' });
  const center = () => {
    const { x, y, width, height } = shown.getClientRects()[0] ?? new DOMRect();
    return { x: x + width / 2, y: y + height / 2 };
  };
  const before = center();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { x, y } = center();
  if (x !== before.x || y !== before.y) throw new Error('it moves');
  const hit = document.elementFromPoint(x, y);
  if (!shown.contains(hit)) throw new Error(`it is covered by ${hit?.outerHTML.slice(0, 200)}`);
  return { x, y };
}

function chooseIn(found: HTMLElement[], label: string): void {
  const [list, ...others] = found;
  if (!list || others.length > 0) throw new Error(`${found.length} elements match`);
  const options = [...(list as HTMLSelectElement).options];
  const option = options.find(({ text }) => text === label);
  if (!option) throw new Error(`no option ${label}: ${options.map(({ text }) => text)}`);
  option.selected = true;
  list.dispatchEvent(new Event('input', { bubbles: true }));
  list.dispatchEvent(new Event('change', { bubbles: true }));
}
