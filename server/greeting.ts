import type { Config } from './config.ts';
import { DEMO_ACCOUNTS, DEMO_ADMIN, DEMO_PASSWORD } from './demo/accounts.ts';
import { type DemoPasswords, PUBLISHED } from './demo/passwords.ts';

/** The terminal message after startup. */
export function greeting(config: Config, address: string, passwords: DemoPasswords | null): string {
  if (!passwords) return `Curbside is at ${config.publicUrl}, listening on ${address}`;
  const arePublished = passwords === PUBLISHED;
  const accounts = [...DEMO_ACCOUNTS, DEMO_ADMIN].map(({ email, says }) => {
    const password = arePublished ? '' : `${passwords[email]}  `;
    return `    ${email.padEnd(28)} ${password}${says}`;
  });
  return [
    '',
    `  Curbside is at ${config.publicUrl}`,
    ...whereMailIs(config, address),
    '',
    arePublished ? `  Demo accounts, password ${DEMO_PASSWORD}:` : '  Demo accounts and passwords:',
    ...accounts,
    '',
    '  All employers and reviews are fictional. Stop with Ctrl-C.',
    '',
  ].join('\n');
}

function whereMailIs({ publicUrl, devPort }: Config, address: string): string[] {
  if (devPort === null) return [`  Mail it would send is at ${publicUrl}/dev/mail`];
  return [
    `  It listens on ${address}. Anyone who reaches it can sign up`,
    `  Mail it would send is at http://localhost:${devPort}/dev/mail, on this machine only`,
  ];
}
