import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#server/db/embedded/testing/fixtures.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SAMPLE_MS = 50;
/** By default, V8 lets short-lived objects alone take 130 MB before it collects them. */
const MOST_MB = 220;
const HOSPITALS = 20_000;
const HEADER =
  'Facility ID,Facility Name,Address,City/Town,State,ZIP Code,Telephone Number,Hospital Type,' +
  'Hospital Ownership,Emergency Services,Hospital overall rating';

/** The command as `npm run curbside` starts it. */
function scriptArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  return String(scripts.curbside).split(' ').slice(1);
}

function writeHospitals(): string {
  const file = path.join(temporaryFolder(), 'Hospital_General_Information.csv');
  const rows = Array.from({ length: HOSPITALS }, (_, number) => {
    const ccn = String(100_000 + number);
    const where = `${number} Main Street,Town ${number % 900},OH,44101,216555${ccn.slice(-4)}`;
    return `${ccn},Hospital ${number},${where},Acute Care Hospitals,Proprietary,Yes,3`;
  });
  writeFileSync(file, [HEADER, ...rows].join('\n'));
  return file;
}

/** The peak memory of a process in megabytes; null without /proc, or if the process has ended. */
function peakMbOf(pid = 0): number | null {
  try {
    const kb = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kb ? Number(kb) / 1024 : null;
  } catch {
    return null;
  }
}

test.skipIf(!existsSync('/proc/self/status'))(
  'an import takes little memory, because young objects are collected early',
  async () => {
    const command = [...scriptArguments(), 'employers', 'import', '--date', '2026-01-01'];
    const child = spawn(process.execPath, [...command, writeHospitals()], {
      cwd: ROOT,
      env: { DATA_DIR: temporaryFolder() },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let peak = 0;
    const sampling = setInterval(() => {
      peak = peakMbOf(child.pid) ?? peak;
    }, SAMPLE_MS);
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
    clearInterval(sampling);
    expect(output).toContain(`${HOSPITALS} added`);
    expect(peak).toBeGreaterThan(100);
    expect(peak).toBeLessThan(MOST_MB);
  },
);
