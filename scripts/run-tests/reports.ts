/** A test that failed, as shown on the terminal. */
export interface Failure {
  readonly name: string;
  /** `path/to/file.ts:LINE`. */
  readonly place: string;
  /** The error, with the difference between what was expected and what was found. */
  readonly error: string;
  /** The command that runs only this test. */
  readonly repeat: string;
}

/** What the reporters of Vitest and Playwright tell scripts/test.ts. */
export type Report =
  | { readonly kind: 'progress'; readonly text: string }
  | ({ readonly kind: 'failure' } & Failure)
  | {
      readonly kind: 'end';
      readonly passed: number;
      readonly failed: number;
      readonly skipped: number;
      /** File -> seconds of its tests, on one core. */
      readonly files: Readonly<Record<string, number>>;
    };

/** Tells the parent process, if there is one that listens. */
export const report = (report: Report): void => void process.send?.(report);
