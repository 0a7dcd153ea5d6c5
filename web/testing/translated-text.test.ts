import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findTextTraps } from './translated-text.ts';

const problemsOf = (jsx: string) =>
  findTextTraps('page.tsx', `const page = ${jsx};`).map(({ problem }) => problem);

test('no page has a text that breaks once a translator has replaced it', () => {
  const found = globSync('web/**/*.tsx').flatMap((file) =>
    findTextTraps(file, readFileSync(file, 'utf8')).map(
      ({ line, problem }) => `${file}:${line}: ${problem}`,
    ),
  );
  expect(found).toEqual([]);
});

test.for([
  '<button>{busy && <Spinner />} Sign in</button>',
  '<button>{busy && <Spinner />}{children}</button>',
  '<p>You are {late ? "late" : "early"}.</p>',
  '<p>Sent. {again && `Again.`}</p>',
  '<p>{names.map((name) => <b key={name} />)} and others</p>',
  '<p>{late && <>Too late for {name}</>}</p>',
  '<p>{late ? "Late" : <b>Early</b>}, he said</p>',
  '<select><option>OR</option></select>',
])('finds %s', (jsx) => {
  expect(problemsOf(jsx)).not.toEqual([]);
});

test('finds a component that is a bare text', () => {
  const source = 'function When({ late }) { if (late) return "Late"; return <b>Early</b>; }';
  expect(findTextTraps('page.tsx', source)).toHaveLength(1);
});

test('finds an element that takes the place of another of its type', () => {
  const sent = (key: string) =>
    `const Step = ({ sent }) => sent ? <p${key}>Sent to <b>you</b>.</p> : <p>Sign up.</p>;`;
  expect(findTextTraps('page.tsx', sent(''))).toHaveLength(1);
  expect(findTextTraps('page.tsx', sent(' key="sent"'))).toEqual([]);
});

test.for([
  '<button>{busy ? "Wait" : "Sign in"}</button>',
  '<button>{busy && <Spinner />}<span>{children}</span></button>',
  '<p>Hello {name} {late && <b>late</b>}</p>',
  '<p>{late && <b />}<i /> and others</p>',
  '<p>{late && <b />}{" "}</p>',
  '<option value={state}>{state}</option>',
])('accepts %s', (jsx) => {
  expect(problemsOf(jsx)).toEqual([]);
});
