import { DAY_MS, MINUTE_MS } from '#contract/limits.ts';
import { staffDigest } from '#server/features/office/digest.ts';
import { postFactor, setUpFactor } from '#server/features/office/testing/second-factor.ts';
import type { TestApp } from '#server/testing/app.ts';
import { signedInAdmin } from '#server/testing/factories.ts';
import { claimNpis } from './claim-deeds.ts';
import { DEEDS, type Deed, leave, write } from './deeds.ts';
import { changePassword, lock, unlock } from './lock-deeds.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';
import { rotateKeys } from './rotate-keys.ts';
import { publish, SCHEDULING_DEEDS } from './scheduling-deeds.ts';
import { type Member, openWorld, type World } from './world.ts';

/** Everything happens within one day, starting just after midnight. */
const SPAN_MINUTES = 1380;
const FEW_MINUTES = 12;
/** How much members do besides joining and writing, and from which minute on. */
interface Deeds {
  readonly count: number;
  readonly from: number;
}
const MANY: Deeds = { count: 1000, from: 30 };
const PUBLISH_MINUTES = 5;
/** One in this many members deletes the account at the end. They take turns with these ways. */
const LEAVES = 12;
const WAYS = ['keep', 'delete', 'delete_gradually'] as const;
/** Locks happen before anyone leaves. */
const LOCKS_WITHIN = 15;
/** What follows a lock; one entry is picked for each. */
const AFTER_LOCKING = [unlock, changePassword, ...Array<null>(6).fill(null)];

interface Plan {
  readonly minute: number;
  readonly run: () => Promise<unknown>;
}

/**
 * Two hundred doctors join and write, most of them soon after joining. Meanwhile there are logins,
 * edits, votes, reports, corrections, removals, deletions, locks, two merges of employers, one of
 * them undone, and a rotation of every key. At the end, some lose their NPI, return, or get banned,
 * a staff member sets up a second factor, at which somebody guesses, and another gets the daily mail.
 */
export async function populate(
  server: TestApp,
  people: readonly Person[],
  random: Random,
  deeds = MANY,
): Promise<World> {
  const { time } = server;
  const midnight = new Date(`${time.now.toISOString().slice(0, 10)}T00:05:00Z`).getTime();
  time.now = new Date(midnight);
  const world = await openWorld(server, random);
  const plans = [
    ...people.flatMap((person, at) => lifeOf(world, person, at / people.length, at)),
    ...Array.from({ length: deeds.count }, () => anyDeed(world, deeds)),
    // Early, because it ends with the rewrite, which hides everything before it.
    { minute: 0.12 * SPAN_MINUTES, run: () => rotateKeys(world) },
    { minute: 0.5 * SPAN_MINUTES, run: () => merge(world) },
    { minute: 0.6 * SPAN_MINUTES, run: () => mergeByMistake(world) },
    ...Array.from({ length: SPAN_MINUTES / PUBLISH_MINUTES }, (_, at) => ({
      minute: at * PUBLISH_MINUTES,
      run: () => publish(world),
    })),
    // Autovacuum, which is off in tests, may run at any time.
    ...[0.4, 0.9].map((part) => ({
      minute: part * SPAN_MINUTES,
      run: () => server.deps.database.background.pool.query('vacuum (analyze)'),
    })),
  ];
  for (const { minute, run } of plans.toSorted((a, b) => a.minute - b.minute)) {
    time.now = new Date(midnight + minute * MINUTE_MS);
    await run();
  }
  await claimNpis(world);
  const auditor = await signedInAdmin(server, ['auditor']);
  await setUpFactor(server, auditor);
  for (const code of ['000000', 'ABCDE-ABCDE']) {
    await postFactor(server, auditor, 'enter/', { code });
  }
  await mailDigest(world);
  await server.jobs.idle();
  return world;
}

/** The administrator turns the daily mail on, and gets the one of the next day. */
async function mailDigest({ server: { deps, time }, administer }: World) {
  await administer('/digest/', { is_on: true });
  const clock = () => new Date(time.now.getTime() + DAY_MS);
  await staffDigest({ ...deps, clock })({});
}

function lifeOf(world: World, person: Person, start: number, at: number): Plan[] {
  const { random } = world;
  const minute = start * SPAN_MINUTES + random.next() * 5;
  let member: Member | undefined;
  const soon = () => minute + 0.5 + random.next() * FEW_MINUTES;
  const then = (when: number, run: (member: Member) => Promise<unknown>): Plan => ({
    minute: when,
    run: async () => member && run(member),
  });
  const life: Plan[] = [
    {
      minute,
      async run() {
        member = await world.join(person, at);
      },
    },
  ];
  // Most write immediately; some only read.
  if (random.next() < 0.9) life.push(then(soon(), (one) => write(world, one)));
  const leaves = at % LEAVES === 1;
  if (random.next() < 0.5) {
    const locking = minute + FEW_MINUTES + 1 + random.next() * LOCKS_WITHIN;
    life.push(then(locking, (one) => lock(world, one)));
    const [deed, later] = [random.pick(AFTER_LOCKING), locking + 30 + random.next() * 120];
    if (deed && !leaves && later < SPAN_MINUTES) life.push(then(later, (one) => deed(world, one)));
  }
  if (leaves) {
    const end = SPAN_MINUTES - random.next() * 60;
    const reviews = WAYS[Math.floor(at / LEAVES) % WAYS.length] ?? 'keep';
    for (const when of [soon(), soon()]) life.push(then(when, (one) => write(world, one)));
    life.push(then(Math.max(end, minute + 30), (one) => leave(world, one, reviews)));
  }
  return life;
}

const BY_WEIGHT = Object.values({ ...DEEDS, ...SCHEDULING_DEEDS }).flatMap((deed) =>
  Array<Deed>(deed.weight).fill(deed),
);

function anyDeed(world: World, { from }: Deeds): Plan {
  const { random, members } = world;
  const deed = random.pick(BY_WEIGHT);
  const minute = from + random.next() * (SPAN_MINUTES - from);
  return { minute, run: () => deed.run(world, random.pick(members)) };
}

/** Merges two employers and undoes it. */
async function mergeByMistake({ employers, administer }: World) {
  const [into, from] = employers;
  const merged = await administer(`/employers/${from}/merge/`, { into });
  if (merged.statusCode !== 200) throw new Error(merged.body);
  const undone = await administer(`/employers/${from}/unmerge/`, { reason: 'A mistake' });
  if (undone.statusCode !== 200) throw new Error(undone.body);
}

async function merge({ employers, administer }: World) {
  const [into, from] = employers.splice(0, 2);
  const merged = await administer(`/employers/${from}/merge/`, { into });
  if (merged.statusCode !== 200) throw new Error(merged.body);
  employers.push(Number(into));
}
