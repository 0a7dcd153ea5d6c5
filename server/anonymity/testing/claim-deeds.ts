import { MINUTE_MS } from '#contract/limits.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { addDoctor } from '#server/features/accounts/signup/signup.ts';
import { ban } from '#server/features/verification/administration.ts';
import { quotaOf, takeQuota } from '#server/features/verification/mailbox/quota.ts';
import { recordProof } from '#server/features/verification/proofs.ts';
import { NO_EVIDENCE } from '#server/npi-registry/evidence.ts';
import type { Person } from './people.ts';
import { randomFrom } from './random.ts';
import type { World } from './world.ts';

/** How many members lose their NPI to someone who proves it: enough to notice a leak. */
const LOSERS = 32;
const PROBES = 10;
const BANS = 6;

/** Evidence for a match with the registry. */
const MATCHED = {
  ...NO_EVIDENCE,
  checks: { known: true, active: true, individual: true, physician: true, name_matches: true },
};

/**
 * What happens to NPIs after everyone has written: some people sign up with a taken NPI and stop
 * there; others prove it and displace its holder; some former members return; some get banned.
 */
export async function claimNpis(world: World): Promise<void> {
  const { server, members, authors, lockedAt, departed, losers } = world;
  // Its own random source, so that it does not change what happened before.
  const random = randomFrom(31);
  const others = random.shuffled(members);
  const posted = new Set(authors.values());
  const canLose = others.filter(({ userId }) => posted.has(userId) && !lockedAt.has(userId));
  const chosen = canLose.slice(0, LOSERS);
  const rest = others.filter((member) => !chosen.includes(member));
  const acts = [
    ...chosen.map(({ person, userId }) => async () => {
      await prove(world, await claim(world, person), 'letter');
      losers.push(userId);
      if (losers.length % 2 === 0) await askLoser(world, userId);
    }),
    ...rest.slice(0, PROBES).map(
      ({ person }) =>
        () =>
          claim(world, person),
    ),
    ...rest.slice(PROBES, PROBES + BANS).map(({ userId }) => () => {
      return ban(server.deps, { actor: 'cli', reason: 'reviews for money' }, userId);
    }),
    ...departed.map((leaver) => async () => {
      leaver.now = await claim(world, leaver.person);
      await prove(world, leaver.now, 'mailbox');
    }),
  ];
  for (const act of random.shuffled(acts)) {
    await act();
    server.time.now = new Date(server.time.now.getTime() + MINUTE_MS / 4);
  }
}

/** A verifier asks an account that has just lost its NPI for a proof. */
async function askLoser({ server, administer }: World, userId: string): Promise<void> {
  const { id } = await server.deps.db
    .selectFrom('cases')
    .select('id')
    .where('account_id', '=', userId)
    .executeTakeFirstOrThrow();
  const asked = await administer(`/cases/${id}/ask/`, { request: 'letter' });
  if (asked.statusCode !== 200) throw new Error(asked.body);
}

/** Signs up with this person's NPI and name. */
function claim({ server, random }: World, person: Person): Promise<string> {
  return addDoctor(server.deps, {
    ...person,
    email: `${random.letters(12)}@${random.letters(9)}.example`,
    password: null,
    profile: { verification_status: 'needs_proof' },
    evidence: MATCHED,
  });
}

async function prove({ server: { deps } }: World, userId: string, kind: 'letter' | 'mailbox') {
  await inTransaction(deps.db, async (trx) => {
    if (kind === 'mailbox') {
      await takeQuota(trx, quotaOf(deps, { domain: 'hospital.example', proofs_per_month: 1000 }));
    }
    await recordProof(deps, trx, userId, { kind });
  });
}
