import { randomBytes } from 'node:crypto';
import { ConfigError, loadConfig } from '#server/config/config.ts';

export const key = () => randomBytes(32).toString('base64');

/** Settings with which a production server starts. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://curbside@db/curbside?sslmode=verify-full',
  SMTP_URL: 'smtp://mail:25',
  PUBLIC_URL: 'https://curbside.example',
  SEALING_KEYS: `k1:${key()}`,
  INDEX_KEY: key(),
  AUTHORSHIP_KEY: key(),
  SESSION_KEY: key(),
  SECURITY_CONTACT: 'mailto:security@curbside.example',
};

/** The lines that the server would print instead of starting. */
export function errors(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
}
