import { useRef, useState } from 'react';
import { employerEndpoints } from '#contract/endpoints/employers.ts';
import { api } from '#web/lib/session.ts';
import { orNull } from '#web/lib/transport-error.ts';

/** The part after the "@". The part before it is not sent. */
const domainOf = (email: string) => email.trim().toLowerCase().split('@')[1] ?? '';

/**
 * Looks up, as the user types, whether an email address belongs to an employer in the directory.
 * `check` returns true the first time, and false once the user has been warned about this domain.
 */
export function useWorkAddress() {
  const [warnedAbout, setWarnedAbout] = useState('');
  const known = useRef(new Map<string, boolean>());

  async function isEmployer(domain: string): Promise<boolean> {
    const cached = known.current.get(domain);
    if (cached !== undefined) return cached;
    // The warning is optional: an error does not stop anyone from signing up.
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
