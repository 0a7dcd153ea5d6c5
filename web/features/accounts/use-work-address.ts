import { useRef, useState } from 'react';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { api } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';

/** The part after the "@", which is the only part that is sent. */
const domainOf = (email: string) => email.trim().toLowerCase().split('@')[1] ?? '';

/**
 * Looks up, as the user types, whether an email address belongs to an employer in the directory.
 * `check` returns true for a work address, unless the user has already been warned about its
 * domain.
 */
export function useWorkAddress() {
  const [warnedAbout, setWarnedAbout] = useState('');
  const known = useRef(new Map<string, boolean>());

  async function isEmployer(domain: string): Promise<boolean> {
    const cached = known.current.get(domain);
    if (cached !== undefined) return cached;
    // The warning is optional, so an error here does not stop the sign-up.
    const answer = await orNull(api.call(employerEndpoints.mailDomain, { query: { domain } }));
    if (answer) known.current.set(domain, answer.is_employer);
    return answer?.is_employer ?? false;
  }

  async function check(email: string): Promise<boolean> {
    const domain = domainOf(email);
    const isWork = domain.includes('.') && (await isEmployer(domain));
    setWarnedAbout(isWork ? domain : '');
    return isWork && domain !== warnedAbout;
  }

  return { isWorkAddress: warnedAbout !== '', check };
}
