import process from 'node:process';
import { onConfiguredDatabase } from './context.ts';
import { runCommand } from './run.ts';

const { argv, stdin, stdout, stderr } = process;

// A reader that stops early (`curbside … | head`) must not abort the work.
for (const stream of [stdout, stderr]) stream.on('error', () => {});

const terminal = { input: stdin, output: stdout, errors: stderr };
process.exitCode = await runCommand(argv.slice(2), terminal, onConfiguredDatabase(terminal));
