import { getDomain, parse } from 'tldts';

const setOf = (words: string) => new Set(words.trim().split(/\s+/));

/** Public mail providers with many top-level domains. */
const PUBLIC_NAMES = setOf(`
  gmail googlemail yahoo ymail rocketmail hotmail outlook aol gmx yandex protonmail tutanota
  fastmail mailinator guerrillamail
`);

/** Public mail providers, internet service providers, and hosts of user pages. */
const PUBLIC_DOMAINS = setOf(`
  live.com msn.com passport.com icloud.com me.com mac.com aim.com proton.me pm.me tuta.com tuta.io
  mail.com email.com usa.com usa.net zoho.com zohomail.com hey.com hushmail.com duck.com
  mozmail.com inbox.com mail.ru rambler.ru qq.com 163.com 126.com sina.com naver.com daum.net
  hanmail.net rediffmail.com web.de libero.it doctor.com 10minutemail.com temp-mail.org
  yopmail.com sharklasers.com simplelogin.com comcast.net xfinity.com verizon.net att.net
  sbcglobal.net bellsouth.net pacbell.net ameritech.net cox.net charter.net spectrum.net
  roadrunner.com rr.com twc.com earthlink.net mindspring.com juno.com netzero.net centurylink.net
  q.com frontier.com frontiernet.net windstream.net embarqmail.com optonline.net optimum.net
  suddenlink.net tds.net mchsi.com cableone.net google.com facebook.com instagram.com linkedin.com
  twitter.com x.com youtube.com wordpress.com wix.com squarespace.com weebly.com godaddy.com
  webs.com tripod.com angelfire.com geocities.com homestead.com yolasite.com wikipedia.org
  yelp.com yellowpages.com mapquest.com healthgrades.com webmd.com vitals.com doximity.com
  medicare.gov cms.gov
`);

/** The lowercase domain of an email address, as in institution_domains. */
export const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/** Whether anyone can have a mailbox or site at a domain. Knows only the large providers. */
export function isPublicProvider(domain: string): boolean {
  const found = parse(domain, { allowPrivateDomains: true });
  // Hosting domains, from the Public Suffix List.
  if (found.isPrivate) return true;
  return (
    PUBLIC_DOMAINS.has(found.domain ?? domain) ||
    PUBLIC_NAMES.has(found.domainWithoutSuffix ?? domain)
  );
}

/**
 * The registrable domain of a host or URL by the Public Suffix List, including private suffixes:
 * `hospital.org` for `www.hospital.org`. Null if there is none.
 */
export const registrableDomain = (host: string): string | null =>
  getDomain(host, { allowPrivateDomains: true });
