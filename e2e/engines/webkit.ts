import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from '@playwright/test';
import { freePort } from '#server/testing/free-port.ts';
import { OFTEN } from '../account.ts';
import {
  COMMAND_MS,
  DriverTimeout,
  type Engine,
  type Key,
  LOAD_MS,
  type Tab,
  type Theme,
  type Visitor,
} from './engine.ts';

const WINDOW = path.join(import.meta.dirname, 'webkit-window.py');
/** https://www.w3.org/TR/webdriver2/#keyboard-actions */
const KEYS: Record<Key, string> = {
  ArrowDown: '\uE015',
  ArrowRight: '\uE014',
  Enter: '\uE007',
  Escape: '\uE00C',
};

type Send = <T>(method: string, path: string, body?: object) => Promise<T>;

/** WebKitGTK, driven over WebDriver on a display of its own. */
export async function startWebKit(theme: Theme = 'light'): Promise<Engine> {
  const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x1000x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = await once(createInterface({ input: display.stdout }), 'line');
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, DISPLAY: `:${number}`, NO_AT_BRIDGE: '1' },
  });
  const noise: string[] = [];
  // Its windows write to its output. Failed requests are answers, not noise.
  createInterface({ input: driver.stdout }).on('line', (line) => {
    if (/^CONSOLE (?!NETWORK)\S+ (ERROR|WARN)/.test(line)) noise.push(line);
  });
  const send = sender(`http://127.0.0.1:${port}`);
  await expect.poll(() => send('GET', '/status').catch(() => null), OFTEN).not.toBeNull();
  return {
    newVisitor: (script) => newVisitor(send, [theme, script], noise),
    async close() {
      for (const child of [driver, display]) await stop(child);
    },
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

function sender(origin: string): Send {
  return async (method, path, body) => {
    const answer = await fetch(origin + path, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(COMMAND_MS),
    }).catch((error) => {
      if (error.name !== 'TimeoutError') throw error;
      throw new DriverTimeout('WebKit', `${method} ${path}`, { cause: error });
    });
    const { value } = (await answer.json()) as { value: never };
    if (answer.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${error}: ${message}`);
  };
}

/** Starts a browser, which takes half a second. */
async function newVisitor(send: Send, args: string[], noise: string[]): Promise<Visitor> {
  noise.length = 0;
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': { binary: WINDOW, args },
        timeouts: { pageLoad: LOAD_MS, script: LOAD_MS },
      },
    },
  });
  const command: Send = (method, path, body) => send(method, `/session/${sessionId}${path}`, body);
  const first = await command<string>('GET', '/window');
  let current = '';
  return {
    noise,
    async newTab() {
      const handle = current
        ? (await command<{ handle: string }>('POST', '/window/new', { type: 'window' })).handle
        : first;
      return tabOf(async (...args) => {
        if (handle !== current) await command('POST', '/window', { handle });
        current = handle;
        return command(...args);
      });
    },
    close: () => command('DELETE', ''),
  };
}

function tabOf(send: Send): Tab {
  const evaluate = (expression: string) =>
    send('POST', '/execute/sync', { script: `return ${expression}`, args: [] });
  const act = (type: 'key' | 'pointer', actions: object[]) =>
    send<void>('POST', '/actions', { actions: [{ type, id: type, actions }] });
  const type = (text: string) =>
    act(
      'key',
      [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]),
    );
  return {
    goto: (url) => send('POST', '/url', { url }),
    evaluate,
    click: (x, y) =>
      act('pointer', [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]),
    type,
    press: (key) => type(KEYS[key]),
    async resize({ width, height }) {
      await send('POST', '/window/rect', { width, height });
      await expect
        .poll(() => evaluate('[innerWidth, innerHeight]'), OFTEN)
        .toEqual([width, height]);
    },
    screenshot: async () => Buffer.from(await send<string>('GET', '/screenshot'), 'base64'),
  };
}
