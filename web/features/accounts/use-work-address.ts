import { useRef, useState } from 'react';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { api } from '#web/lib/session.ts';
import { ApiError } from '#web/lib/transport-error.ts';

/** The part after the "@", once there is one; the part before it never leaves the form. */
const domainOf = (email: string) => email.trim().toLowerCase().split('@')[1] ?? '';

/**
 * Finds out whether an address belongs to an employer in the directory. `check` answers true the
 * first time that it finds so, and false when the user has already been warned of this domain.
 */
export function useWorkAddress() {
  const [warnedOf, setWarnedOf] = useState('');
  const known = useRef(new Map<string, boolean>());

  async function isEmployer(domain: string): Promise<boolean> {
    const found = known.current.get(domain);
    if (found !== undefined) return found;
    try {
      const answer = await api.call(employerEndpoints.mailDomain, { query: { domain } });
      known.current.set(domain, answer.is_employer);
      return answer.is_employer;
    } catch (error) {
      // A warning that cannot be had stops nobody from signing up.
      if (error instanceof ApiError) return false;
      throw error;
    }
  }

  async function check(email: string): Promise<boolean> {
    const domain = domainOf(email);
    const isWork = domain.includes('.') && (await isEmployer(domain));
    setWarnedOf(isWork ? domain : '');
    return isWork && domain !== warnedOf;
  }

  return { isWorkAddress: warnedOf !== '', check };
}
