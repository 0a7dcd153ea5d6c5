import { COMMAND } from '#server/audit-log.ts';
import type { Deps } from '#server/deps.ts';
import { loadProfiles } from '#server/features/accounts/identity/profiles.ts';

/** The full names of members of staff, by account id. Deleted accounts have none. */
export async function staffNames(
  { db, keys }: Pick<Deps, 'db' | 'keys'>,
  ids: Iterable<string>,
): Promise<Map<string, string>> {
  const profiles = await loadProfiles(keys, db, [...new Set(ids)]);
  return new Map(profiles.map(({ user }) => [user.id, `${user.first_name} ${user.last_name}`]));
}

/** How the actor of a logged act is shown. */
export const actorName = (names: ReadonlyMap<string, string>, actor: string): string =>
  actor === COMMAND ? 'Command' : (names.get(actor) ?? 'Deleted account');
