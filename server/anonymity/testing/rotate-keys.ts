import { curbside } from '#server/cli/testing/curbside.ts';
import { freshKey } from '#server/config/stored-secrets.ts';
import type { Secrets } from '../keys.ts';
import type { World } from './world.ts';

/** Rotates the three keys that can be rotated, as an operator who sets the secrets does. */
export async function rotateKeys(world: World): Promise<void> {
  const { index, sealing } = world.secrets;
  await world.server.jobs.idle();
  await rotate(world, 'keys', { sealing: [{ id: 'k2', key: freshKey() }, ...sealing] });
  await rotate(world, 'index', { index: [freshKey(), ...index] });
  await rotateAuthorship(world);
  // Keeps the old sealing key, since pending links are still sealed with it.
  take(world, { index: world.secrets.index.slice(0, 1) });
}

export async function rotateAuthorship(world: World): Promise<void> {
  await rotate(world, 'authorship', { authorship: [freshKey(), ...world.secrets.authorship] });
  take(world, { authorship: world.secrets.authorship.slice(0, 1) });
}

async function rotate(world: World, command: string, change: Partial<Secrets>) {
  take(world, change);
  const { deps } = world.server;
  const config = { ...deps.config, secrets: world.secrets };
  const { code, errors } = await curbside({ deps: { ...deps, config } }, [command, 'rotate']);
  if (code !== 0) throw new Error(errors);
}

/** Gives the running server other secrets. */
function take(world: World, change: Partial<Secrets>) {
  world.secrets = { ...world.secrets, ...change };
  world.server.deps.keys.replace(world.secrets);
}
