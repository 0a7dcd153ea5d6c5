import type { Network } from '#server/rate-limits/networks.ts';
import type { Budget, RateLimits } from '#server/rate-limits/rate-limits.ts';

/** The counters of sign-up codes sent to an address. */
const countersOf = (address: string, network: Network) =>
  ({
    network: ['codeMailNetwork', '', network],
    both: ['codeMail', address, network],
    first: ['codeMailFirst', address],
    more: ['codeMailMore', address],
  }) satisfies Record<string, Budget>;

/**
 * Counts a sign-up code that is about to be sent. The first that a network asks for is counted
 * apart from the rest: who asks again and again uses up what is left for no one else.
 */
export async function takeCodeMail(limits: RateLimits, address: string, network: Network) {
  const counters = countersOf(address, network);
  const taken: Budget[] = [];
  const take = async (budget: Budget) => {
    const count = await limits.take(...budget);
    taken.push(budget);
    return count;
  };
  try {
    await take(counters.network);
    const isFirst = (await take(counters.both)) === 1;
    await take(isFirst ? counters.first : counters.more);
  } catch (error) {
    // Nothing is sent, so nothing is counted.
    for (const budget of taken) await limits.giveBack(...budget);
    throw error;
  }
}

/** Forgets what was sent to an address that now has an account. */
export function forgetCodeMail(limits: RateLimits, address: string, network: Network) {
  const { both, first, more } = countersOf(address, network);
  return limits.forget([both, first, more]);
}
