import { expect, test } from 'vitest';
import { Email } from './fields.ts';

/** The examples of HTML's `type=email` (HTML Living Standard, section 4.10.5.1.5). */
const MAILBOXES = ['o&leary', "o'hara", 'a/b', 'a#b', 'a=b', 'a%b', 'a~b', '{a}|b^`', 'a+b'];
test.each(MAILBOXES)('accepts the mailbox %s', (mailbox) => {
  expect(Email.parse(` ${mailbox}@example.com `)).toBe(`${mailbox}@example.com`);
});

const ODD = ['a b@example.com', 'a"b@example.com', 'a,b@example.com'];
test.each(['a@b', ...ODD, 'a@-b.com', 'a@b..com', '@b.co'])('rejects %s', (address) => {
  expect(Email.safeParse(address).error?.issues[0]?.message).toBe('Invalid email address');
});
