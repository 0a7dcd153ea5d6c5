import type { LockResponse } from '#contract/accounts/accounts.ts';
import { newRecoveryCode } from '#contract/accounts/recovery-code.ts';
import type { Member, World } from './world.ts';

/** Locks the member's reviews. */
export async function lock(world: World, member: Member): Promise<void> {
  await change(world, member, 'lock', { recovery_code: newRecoveryCode() });
  world.lockedAt.set(member.userId, world.server.time.now);
}

/** Unlocks them again. */
export async function unlock(world: World, member: Member): Promise<void> {
  await change(world, member, 'unlock', {});
  world.lockedAt.delete(member.userId);
}

async function change(world: World, member: Member, act: string, fields: object) {
  const { password } = member.person;
  const url = `/auth/reviews/${act}/`;
  const response = await world.request(member, 'POST', url, { password, ...fields });
  if (response.statusCode !== 200) throw new Error(response.body);
  world.hold(member, response.json<LockResponse>());
}

/** Sets a new password, which rewraps the author secret of a locked account. */
export async function changePassword(world: World, member: Member): Promise<void> {
  const { person } = member;
  const new_password = `${world.random.letters(9)}-B2`;
  const fields = { current_password: person.password, new_password };
  const response = await world.request(member, 'POST', '/auth/password/change/', fields);
  if (response.statusCode !== 200) throw new Error(response.body);
  person.password = new_password;
}
