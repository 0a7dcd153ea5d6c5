import { MultiBar, Presets } from 'cli-progress';
import { printable } from '#server/errors/printable.ts';
import { type Terminal, warn } from './terminal.ts';

export interface Progress {
  update(done: number, total: number): void;
  /** Prints a line without disturbing the progress bar. */
  note(line: string): void;
  stop(): void;
}

/** A progress bar on a terminal; in a log or pipe, a line at every 10%. */
export function progressOf(terminal: Terminal, unit: string): Progress {
  return terminal.errors.isTTY ? bar(terminal, unit) : lines(terminal, unit);
}

function bar({ errors }: Terminal, unit: string): Progress {
  const format = `{bar} {percentage}% | {value} of {total} ${unit}`;
  const bars = new MultiBar({ stream: errors, format }, Presets.shades_classic);
  let single: ReturnType<MultiBar['create']> | undefined;
  return {
    update(done, total) {
      single ??= bars.create(total, 0);
      single.update(done);
    },
    note: (line) => bars.log(`${printable(line)}\n`),
    stop() {
      // Shows the lines noted since the last redraw.
      if (single) bars.update();
      bars.stop();
    },
  };
}

function lines(terminal: Terminal, unit: string): Progress {
  let lastTenth = 0;
  return {
    update(done, total) {
      const tenth = total > 0 ? Math.floor((done / total) * 10) : 0;
      if (tenth <= lastTenth) return;
      lastTenth = tenth;
      warn(terminal, `${done} of ${total} ${unit}`);
    },
    note: (line) => warn(terminal, line),
    stop: () => {},
  };
}
