/** A window of a browser, as each driver can give it. What tests need beyond that is in page.ts. */
export interface Tab {
  /** Opens an address and waits until it has loaded. */
  goto(url: string): Promise<void>;
  /** Evaluates an expression, awaits its value, and returns that as JSON would. */
  evaluate(expression: string): Promise<unknown>;
  /** Presses and releases the mouse at a point of the viewport. */
  click(x: number, y: number): Promise<void>;
  type(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  resize(size: Size): Promise<void>;
  /** The visible part of the page, as PNG. */
  screenshot(): Promise<Buffer>;
}

export type Key = 'ArrowDown' | 'ArrowRight' | 'Enter' | 'Escape';
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A browser with a storage of its own. */
export interface Visitor {
  newTab(): Promise<Tab>;
  /** What the pages have logged or thrown. */
  readonly noise: readonly string[];
  close(): Promise<void>;
}

export interface Engine {
  /** The script runs in each page before the page's own. */
  newVisitor(script: string): Promise<Visitor>;
  close(): Promise<void>;
}

export type Theme = 'light' | 'dark';

/** How long a driver may take for a command. */
export const COMMAND_MS = 30_000;
/** How long a page may take to load, or a script in it: less, so that it is not the driver's fault. */
export const LOAD_MS = 20_000;

/** The driver hangs, which says nothing about the page. */
export class DriverTimeout extends Error {
  constructor(driver: string, command: string, options?: ErrorOptions) {
    super(`${driver}'s driver did not answer within ${COMMAND_MS / 1000} s: ${command}`, options);
  }
}
