import { expect, test } from 'vitest';
import { FirstName, LastName, Npi } from './accounts/accounts.ts';
import { EmployerName } from './employers/employers.ts';
import { Email } from './fields.ts';
import { ReviewEditRequest } from './reviews/reviews.ts';

const errorOf = (result: { error?: { issues: { message: string }[] } }) =>
  result.error?.issues.map(({ message }) => message);

const TITLED = ['Dr. Ada', 'dr Ada', 'Dr.Ada', ' Prof. Dr. Ada ', 'DR. ADA'];
test.each(TITLED)('a first name has no title: %j', (typed) => {
  expect(FirstName.parse(typed)).toMatch(/^ada$/i);
});

test.each(['Drew', 'Ada Dr.'])('%s stays a first name', (typed) => {
  expect(FirstName.parse(typed)).toBe(typed);
});

test.each(['Dr', ' dr. ', 'Prof', 'Prof. Dr.'])('a title alone is no first name: %j', (typed) => {
  expect(errorOf(FirstName.safeParse(typed))).toEqual(['First name is required']);
});

test.each([
  ...[' 2328775939', '232-877-5939', '232\u2011877\u20115939', '2328775939\u00a0'],
  ...['\u200b2328775939\ufeff', '232 877 5939', '2328775939\n'],
])('what is pasted along with an NPI goes: %j', (pasted) => {
  expect(Npi.parse(pasted)).toBe('2328775939');
});

test.each(['23287759391', '232877593', '232877593x', '232.877.5939'])('refuses %j', (text) => {
  expect(errorOf(Npi.safeParse(text))?.[0]).toBe('NPI must be exactly 10 digits');
});

test.each(['', ' ', '-', '\u200b'])('asks for a number instead of %j', (text) => {
  expect(errorOf(Npi.safeParse(text))?.[0]).toBe('NPI Number is required');
});

const positionTitle = ReviewEditRequest.shape.position_title;
const FIELDS = { FirstName, LastName, EmployerName, positionTitle };
const HIDDEN = ['\r\n', '\u202e', '\u200b', '\u0007', '\u2028', '\u00ad', '\u2066', '\ufeff'];

test.each(Object.entries(FIELDS))('%s must be one line of visible text', (_, field) => {
  for (const name of ['Ana-María O’Neill', 'José', 'Łukasz', '  Tarn Clinic ', 'St. Mary’s II']) {
    expect(field.safeParse(name).success, name).toBe(true);
  }
  for (const hidden of HIDDEN) {
    const fault = 'Must not contain control or invisible characters';
    expect(errorOf(field.safeParse(`Tarn${hidden}Clinic`))).toEqual([fault]);
  }
});

/** The examples of HTML's `type=email` (HTML Living Standard, section 4.10.5.1.5). */
const MAILBOXES = ['o&leary', "o'hara", 'a/b', 'a#b', 'a=b', 'a%b', 'a~b', '{a}|b^`', 'a+b'];
test.each(MAILBOXES)('accepts the mailbox %s', (mailbox) => {
  expect(Email.parse(` ${mailbox}@example.com `)).toBe(`${mailbox}@example.com`);
});

const ODD = ['a b@example.com', 'a"b@example.com', 'a,b@example.com'];
test.each(['a@b', ...ODD, 'a@-b.com', 'a@b..com', '@b.co'])('rejects %s', (address) => {
  expect(errorOf(Email.safeParse(address))?.[0]).toBe('Invalid email address');
});
