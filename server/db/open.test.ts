import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './open.ts';

test('poolers can read the settings that connections open with', () => {
  const database = openDatabase({ host: 'db.invalid' }, () => {}, { replicas: [{}] });
  onTestFinished(() => database.close());
  const pools = [database.pool, database.background.pool, ...database.replicas.pools];
  // PgBouncer rejects white space that is not between two of them.
  for (const { options } of pools) expect(options.options).toMatch(/^-c \S+=\S+( -c \S+=\S+)*$/);
});
