import { randomBytes } from 'node:crypto';

const key = () => randomBytes(32).toString('base64');

/** Settings of a production server. No benchmark sends mail or queries the registry. */
export const settingsFor = (databaseUrl: string): Record<string, string> => ({
  NODE_ENV: 'production',
  PORT: '0',
  DRAIN_SECONDS: '0',
  PUBLIC_URL: 'https://curbside.example',
  DATABASE_URL: databaseUrl,
  SMTP_URL: 'smtp://127.0.0.1:1',
  SEALING_KEYS: `bench:${key()}`,
  INDEX_KEY: key(),
  AUTHORSHIP_KEY: key(),
  SESSION_KEY: key(),
  SECURITY_CONTACT: 'mailto:security@curbside.example',
});
