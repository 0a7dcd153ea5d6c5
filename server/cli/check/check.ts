import { existsSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { type Config, ConfigError, demoBesideService, loadConfig } from '#server/config/config.ts';
import { OperatorError } from '#server/errors/operator-error.ts';
import { openFilesLimit } from '#server/plugins/connection-limit.ts';
import type { WithDatabase } from '../context.ts';
import { say, type Terminal } from '../terminal.ts';
import { checkBackup } from './backup.ts';
import { checkDatabase } from './database.ts';
import { checkDisk } from './disk.ts';
import { checkKeys } from './keys.ts';
import { checkMail } from './mail.ts';
import { reachDatabase } from './reach-database.ts';
import { checkRegistry } from './registry.ts';
import { type Finding, reporter, SUBJECTS } from './result.ts';
import { checkRoutes } from './routes.ts';
import { checkSettings } from './settings.ts';
import { checkSite } from './site.ts';

/** Leaves room for some 900 connections. */
const OPEN_FILES_MIN = 1024;
const WIDTH = Math.max(...SUBJECTS.map(({ length }) => length));

/** `curbside check`. It loads the settings itself, because it must report what is wrong with them. */
export function checkCommand(
  _withDatabase: WithDatabase,
  terminal: Terminal,
  settings: () => NodeJS.ProcessEnv,
): Command {
  return new Command('check')
    .description(
      'Checks settings, database, keys, mail, registry, site, disks, and backups. Changes nothing.',
    )
    .action(async () => {
      let failed = 0;
      for await (const { level, what, says } of findings(settings())) {
        say(terminal, `${level.padEnd(4)}  ${what.padEnd(WIDTH)}  ${says}`);
        if (level === 'fail') failed += 1;
      }
      if (failed > 0)
        throw new OperatorError(failed === 1 ? '1 check failed' : `${failed} checks failed`);
    });
}

async function* findings(env: NodeJS.ProcessEnv): AsyncGenerator<Finding> {
  const { ok, warn, fail } = reporter('settings');
  if (isUnused(env) && demoBesideService().length === 0) {
    yield warn('the embedded default, which has never been started: run npm start');
    return;
  }
  let config: Config;
  try {
    config = loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) for (const line of error.lines) yield fail(line);
    else yield fail(error instanceof OperatorError ? error.message : 'cannot be read');
    return;
  }
  const advice = [...checkSettings(env, config)];
  yield* advice;
  if (config.embedded) yield warn('the embedded default: for trying it out, not for real reviews');
  else if (advice.length === 0) yield ok('all settings are present and safe');
  const openFiles = openFilesLimit();
  if (openFiles !== null && openFiles < OPEN_FILES_MIN) {
    yield warn(`only ${openFiles} open files: raise LimitNOFILE or ulimit -n to ${OPEN_FILES_MIN}`);
  }
  yield* stored(config);
  yield* checkMail(config);
  if (!config.embedded) yield* checkSite(env, config);
  yield* checkDisk(env, config);
  yield* checkBackup(config);
}

/** Checks that need the database. */
async function* stored(config: Config): AsyncGenerator<Finding> {
  const reached = await reachDatabase(config);
  if (typeof reached === 'string') {
    yield reporter('database').fail(reached);
    for (const what of ['keys', 'registry'] as const) {
      yield reporter(what).warn('not checked without the database');
    }
    return;
  }
  try {
    yield* checkDatabase(config, reached);
    yield* checkRoutes(config);
    yield* checkKeys(config, reached);
    yield* checkRegistry(config, reached);
  } finally {
    await reached.close();
  }
}

/** Loading the settings of the embedded default for the first time would create its keys. */
function isUnused({ NODE_ENV, DATABASE_URL, DATA_DIR }: NodeJS.ProcessEnv): boolean {
  if (NODE_ENV === 'production' || DATABASE_URL) return false;
  return !existsSync(path.resolve(DATA_DIR || 'data', 'secrets.json'));
}
