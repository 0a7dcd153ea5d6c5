import process from 'node:process';
import { onConfiguredDatabase } from './context.ts';
import { runCommand } from './run.ts';

const { argv, stdin, stdout, stderr } = process;

// A reader that has seen enough (`curbside … | head`) does not cut the work short.
for (const stream of [stdout, stderr]) stream.on('error', () => {});

const terminal = { input: stdin, output: stdout, errors: stderr };
process.exitCode = await runCommand(argv.slice(2), terminal, onConfiguredDatabase(terminal));
