import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { installPackages } from './debian.ts';

/** Debian's headless Chromium needs half the processor time of the complete one. */
const SHELL = 'chromium-headless-shell';
const SYSTEM_PATHS = [
  `/usr/bin/${SHELL}`,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const PLAYWRIGHT = path.resolve(import.meta.dirname, '../node_modules/.bin/playwright');

/**
 * Returns the path of a Chromium for the browser tests: Playwright's own or the system's. If there
 * is none, downloads Playwright's or installs Debian's package. If that fails too, exits with a
 * one-line message. Only the complete Chromium has a back/forward cache.
 */
export function ensureChromium(isComplete = false): string {
  const debianPackage = isComplete ? 'chromium' : SHELL;
  const present = findChromium(isComplete);
  if (present) return present;
  console.log('No Chromium found: fetching one for the browser tests…');
  const fetched = spawnSync(PLAYWRIGHT, ['install', 'chromium'], {
    stdio: 'ignore',
    timeout: 300_000,
  });
  if (fetched.status !== 0) installPackages(debianPackage);
  const found = findChromium(isComplete);
  if (found) return found;
  console.error(
    `The browser tests need Chromium: install it (Debian: apt-get install ${debianPackage}).`,
  );
  process.exit(1);
}

function findChromium(isComplete: boolean): string | undefined {
  return [process.env['CHROMIUM_PATH'], chromium.executablePath(), ...SYSTEM_PATHS].find(
    (file) => file && existsSync(file) && !(isComplete && file.includes('shell')),
  );
}
