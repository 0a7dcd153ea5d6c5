import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type {
  FullConfig,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { report } from './reports.ts';

const relative = (file: string) => path.relative(process.cwd(), file);
const textOf = ({ message, value, snippet }: TestError) =>
  stripVTControlCharacters([message ?? value ?? '', snippet ?? ''].join('\n'));

/** More would hide the errors of other tests. */
const PAGE_LINES_MAX = 60;

/** The content of the page when the test failed, as text. */
const pageOf = ({ attachments }: TestResult) =>
  attachments
    .filter(({ name }) => name === 'error-context')
    .flatMap(({ path, body }) => {
      const context = path ? readFileSync(path, 'utf8') : String(body);
      const lines = /^```yaml\n(.*?)\n```/ms.exec(context)?.[1]?.split('\n') ?? [];
      const main = lines.findIndex((line) => /^\s*- main\b/.test(line));
      return lines
        .slice(Math.max(0, main))
        .filter((line) => !/- (option|\/url)\b/.test(line))
        .slice(0, PAGE_LINES_MAX);
    });

/** Reports progress and failures to scripts/test.ts. */
export default class implements Reporter {
  private readonly counts = { passed: 0, failed: 0, skipped: 0 };
  private readonly files: Record<string, number> = {};
  private total = 0;
  private command = '';

  onBegin({ configFile }: FullConfig, suite: Suite): void {
    const isInEngines = configFile?.endsWith('engines.config.ts');
    this.command = `npm run ${isInEngines ? 'test:browsers' : 'test:browser'}`;
    this.total = suite.allTests().length;
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const place = `${relative(test.location.file)}:${test.location.line}`;
    const [, project, , ...titles] = test.titlePath();
    const name = [project, ...titles].filter(Boolean).join(' › ');
    const file = relative(test.location.file);
    this.files[file] = (this.files[file] ?? 0) + result.duration / 1000;
    if (result.status === 'skipped') this.counts.skipped += 1;
    else if (result.status === 'passed') this.counts.passed += 1;
    else {
      this.counts.failed += 1;
      const at = result.errors[0]?.location;
      report({
        kind: 'failure',
        name,
        place: at ? `${relative(at.file)}:${at.line}` : place,
        error: [...result.errors.map(textOf), ...pageOf(result)].join('\n'),
        repeat: `${this.command} -- ${place}`,
      });
    }
    const { passed, failed, skipped } = this.counts;
    report({ kind: 'progress', text: `${passed + failed + skipped} of ${this.total}, ${name}` });
  }

  onError(error: TestError): void {
    this.counts.failed += 1;
    const { file = '', line = 0 } = error.location ?? {};
    report({
      kind: 'failure',
      name: 'outside of any test',
      place: `${relative(file)}:${line}`,
      error: textOf(error),
      repeat: this.command,
    });
  }

  onEnd(): void {
    report({ kind: 'end', ...this.counts, files: this.files });
  }
}
