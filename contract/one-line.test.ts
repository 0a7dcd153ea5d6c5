import { expect, test } from 'vitest';
import { FirstName, LastName } from './accounts.ts';
import { EmployerName } from './employers.ts';
import { reviewRequest } from './reviews.ts';

const positionTitle = reviewRequest(() => new Date()).shape.position_title;
const FIELDS = { FirstName, LastName, EmployerName, positionTitle };
const HIDDEN = ['\r\n', '\u202e', '\u200b', '\u0007', '\u2028', '\u00ad', '\u2066', '\ufeff'];

test.each(Object.entries(FIELDS))('%s must be one line of visible text', (_, field) => {
  for (const name of ['Ana-María O’Neill', 'José', 'Łukasz', '  Tarn Clinic ', 'St. Mary’s II']) {
    expect(field.safeParse(name).success, name).toBe(true);
  }
  for (const hidden of HIDDEN) {
    const { error } = field.safeParse(`Tarn${hidden}Clinic`);
    const fault = 'Must not contain control or invisible characters';
    expect(error?.issues.map(({ message }) => message)).toEqual([fault]);
  }
});
