import path from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { report } from './reports.ts';

const DEFAULT_CONFIG = 'vitest.config.ts';
const relative = (file: string) => path.relative(process.cwd(), file);

type Errors = readonly {
  message: string;
  diff?: string;
  stacks?: { file: string; line: number }[];
}[];

function fail(name: string, file: string, errors: Errors, repeat: string): void {
  const at = errors[0]?.stacks?.find((frame) => frame.file === file) ?? errors[0]?.stacks?.[0];
  report({
    kind: 'failure',
    name,
    place: at ? `${relative(at.file)}:${at.line}` : relative(file),
    error: errors.map(({ message, diff }) => [message, diff].filter(Boolean).join('\n')).join('\n'),
    repeat,
  });
}

const again = (file: string, config: string | undefined, name?: string) =>
  [
    'npm run test:api --',
    ...(config && relative(config) !== DEFAULT_CONFIG ? [`--config ${relative(config)}`] : []),
    relative(file),
    ...(name ? [`-t ${JSON.stringify(name)}`] : []),
  ].join(' ');

/** Reports progress and failures to scripts/test.ts. */
export default class implements Reporter {
  private readonly counts = { passed: 0, failed: 0, skipped: 0 };
  private readonly files: Record<string, number> = {};
  private total = 0;

  onTestRunStart(specifications: readonly unknown[]): void {
    this.total = specifications.length;
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state === 'pending') return;
    this.counts[state] += 1;
    if (state !== 'failed') return;
    const { moduleId: file } = test.module;
    fail(test.fullName, file, errors, again(file, test.project.vite.config.configFile, test.name));
  }

  onTestModuleEnd(module: TestModule): void {
    const { moduleId: file } = module;
    this.files[relative(file)] = module.diagnostic().duration / 1000;
    const errors = [...module.children.suites()].flatMap((suite) => suite.errors());
    const own = [...module.errors(), ...errors];
    if (own.length > 0) {
      this.counts.failed += 1;
      fail('the file itself', file, own, again(file, module.project.vite.config.configFile));
    }
    const done = Object.keys(this.files).length;
    report({ kind: 'progress', text: `${done} of ${this.total} files, ${relative(file)}` });
  }

  onTestRunEnd(_: readonly TestModule[], unhandled: Errors): void {
    for (const error of unhandled) {
      this.counts.failed += 1;
      fail('outside of any test', error.stacks?.[0]?.file ?? '', [error], 'npm run test:api');
    }
    report({ kind: 'end', ...this.counts, files: this.files });
  }
}
