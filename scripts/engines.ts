import { spawnSync } from 'node:child_process';
import { installPackages } from './debian.ts';

export const FIREFOX = '/usr/bin/firefox-esr';
/** Debian's packages: Firefox, and what a window of WebKit in Python needs. */
const PACKAGES = [
  'firefox-esr',
  'webkit2gtk-driver',
  'xvfb',
  'gir1.2-webkit2-4.1',
  'python3-gi',
] as const;

/** Installs Firefox and WebKit where root can. Returns a line about what is missing, if something is. */
export function missingEngines(): string | null {
  installPackages(...missing());
  const names = missing().join(' ');
  return names
    ? `skipped: journeys in Firefox and WebKit. To run them on Debian: apt-get install ${names}`
    : null;
}

function missing(): string[] {
  return PACKAGES.filter((name) => {
    const { stdout } = spawnSync('dpkg-query', ['--status', name], { encoding: 'utf8' });
    return !stdout?.includes('Status: install ok installed');
  });
}
