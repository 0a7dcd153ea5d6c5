import { type AttackedSite, byPerson } from './attacked-site.ts';
import type { Dump } from './dump.ts';
import { foundOutright, type Loot, matchOwners, ransack, type Target } from './matcher.ts';
import type { Finding } from './order.ts';
import { type KeyName, thiefWith } from './thief.ts';
import { reviewsOf } from './truth.ts';

/** Findings less likely than this are not due to chance: about six standard deviations. */
export const CERTAIN = 1e-9;

export interface Best extends Finding {
  /** Probability that the best of all comparisons does as well by chance: an upper bound. */
  readonly byChance: number;
}

/** The best of all comparisons with the owners of a target's rows, by account and by person. */
export function bestOf(loot: Loot, target: Target, world: AttackedSite['world']): Best {
  const found = matchOwners(loot, loot.accounts, target);
  // If every account has a name, both comparisons are the same.
  const ofPeople =
    namedShare(loot, world) === 1 ? [] : matchOwners(loot, loot.people, byPerson(target, world));
  const all = [...found, ...ofPeople].map((finding) => ({
    ...finding,
    byChance: Math.min(1, (found.length + ofPeople.length) * finding.chance),
  }));
  // The strongest finding that is not due to chance; otherwise the least likely one.
  const certain = all.filter(({ byChance }) => byChance < CERTAIN);
  const [best] =
    certain.length > 0
      ? certain.toSorted((a, b) => b.amongFive - a.amongFive || a.chance - b.chance)
      : all.toSorted((a, b) => a.chance - b.chance);
  if (!best) throw new Error('nothing was compared');
  return best;
}

/** Cache: dump -> set of keys -> what they derive from it. */
const loots = new WeakMap<Dump, Map<string, Loot>>();

function lootOf(
  { world, suspects }: Pick<AttackedSite, 'world' | 'suspects'>,
  dump: Dump,
  holds: readonly KeyName[],
): Loot {
  const known = loots.get(dump) ?? new Map<string, Loot>();
  loots.set(dump, known);
  const name = holds.join();
  const loot = known.get(name) ?? ransack(dump, thiefWith(holds, world.secrets, suspects));
  known.set(name, loot);
  return loot;
}

/** What a thief with these keys learns from a dump. */
export function learn(
  { world, suspects }: Pick<AttackedSite, 'world' | 'suspects'>,
  dump: Dump,
  holds: readonly KeyName[],
  target: Target = reviewsOf({ world }),
) {
  const loot = lootOf({ world, suspects }, dump, holds);
  return {
    /** Share of the reviews whose account is found with certainty. */
    accounts: foundOutright(loot, target),
    /** Share of the members whose account reveals who they are. */
    people: namedShare(loot, world),
    best: bestOf(loot, target, world),
    loot,
  };
}

function namedShare({ accounts }: Loot, { members }: AttackedSite['world']): number {
  const handles = new Map(accounts.map((account) => [account.id, account.handles]));
  const named = members.filter(({ userId, person: { email, former_email, npi } }) =>
    [email, former_email, npi].some((one) => one && handles.get(userId)?.includes(one)),
  );
  return named.length / members.length;
}
