import type { Network } from '#server/rate-limits/networks.ts';
import type { Budget, RateLimits } from '#server/rate-limits/rate-limits.ts';

/** The rate limits of sign-up codes mailed to an address. */
const countersOf = (address: string, network: Network) =>
  ({
    network: ['codeMailNetwork', '', network],
    both: ['codeMail', address, network],
    first: ['codeMailFirst', address],
    more: ['codeMailMore', address],
  }) satisfies Record<string, Budget>;

/**
 * Counts a sign-up code before it is sent. A network's first code for an address has a separate
 * budget, so that repeated requests by one network do not block others.
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
    // No mail is sent, so nothing is counted.
    for (const budget of taken) await limits.giveBack(...budget);
    throw error;
  }
}

/** Resets the limits of an address that now has an account. */
export function forgetCodeMail(limits: RateLimits, address: string, network: Network) {
  const { both, first, more } = countersOf(address, network);
  return limits.forget([both, first, more]);
}
