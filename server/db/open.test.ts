import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './open.ts';

test('poolers can parse the settings of new connections', () => {
  const database = openDatabase({ host: 'db.invalid' }, () => {}, { replicas: [{}] });
  onTestFinished(() => database.close());
  const pools = [database.pool, database.background.pool, ...database.replicas.pools];
  // PgBouncer rejects whitespace except between two settings.
  for (const { options } of pools) expect(options.options).toMatch(/^-c \S+=\S+( -c \S+=\S+)*$/);
});
