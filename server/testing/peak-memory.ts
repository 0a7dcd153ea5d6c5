import { readFileSync } from 'node:fs';

/** The peak memory of a process in megabytes; null without /proc, or if the process has ended. */
export function peakMbOf(pid = 0): number | null {
  try {
    const kb = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kb ? Number(kb) / 1024 : null;
  } catch {
    return null;
  }
}
