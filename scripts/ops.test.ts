import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { METRICS } from '#server/metrics/table.ts';
import { read } from './docs/markdown.ts';

/** Strips the suffixes that Prometheus adds for a histogram. */
const named = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '');
const NAMES = Object.keys(METRICS);
const metricsIn = (text: string) =>
  (text.match(/\bcurbside_\w+/g) ?? []).map((name) => (NAMES.includes(name) ? name : named(name)));
const unknownIn = (texts: readonly string[]) =>
  texts.flatMap(metricsIn).filter((name) => !NAMES.includes(name));
/** The labels in `by (…)` and in `{…}`. */
const labelsIn = (expr: string) => [
  ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/)),
  ...[...expr.matchAll(/(\w+)=~?"/g)].map(([, label]) => label),
];
/** Added by Prometheus. */
const ADDED = ['le', 'instance', 'job'];
const strangeLabels = (exprs: readonly string[]) =>
  exprs.flatMap((expr) => {
    const known = metricsIn(expr).flatMap((name) => METRICS[name as never]['labels'] as string[]);
    return labelsIn(expr).filter((label = '') => ![...ADDED, ...known].includes(label));
  });

interface Rule {
  alert: string;
  expr: string;
  annotations: { summary: string; action: string };
}

const ALERTS: { groups: { rules: Rule[] }[] } = parse(read('ops/prometheus/alerts.yaml'));
const RULES = ALERTS.groups.flatMap(({ rules }) => rules);

test('every alert uses existing metrics, and says what to do', () => {
  expect(RULES.length).toBeGreaterThan(10);
  const exprs = RULES.map(({ expr }) => expr);
  expect(unknownIn(exprs)).toEqual([]);
  expect(strangeLabels(exprs)).toEqual([]);
  expect(exprs.filter((expr) => !/\bup\{/.test(expr) && metricsIn(expr).length === 0)).toEqual([]);
  const about = { summary: expect.stringMatching(/\w{3}/), action: expect.stringMatching(/\w{3}/) };
  for (const { alert, annotations } of RULES) expect(annotations, alert).toEqual(about);
  expect(new Set(RULES.map(({ alert }) => alert)).size).toBe(RULES.length);
});

test("the dashboard shows exactly the server's metrics", () => {
  const { panels } = JSON.parse(read('ops/grafana/curbside.json'));
  const targets: { expr: string }[] = panels.flatMap(
    (panel: { targets: object[] }) => panel.targets,
  );
  const exprs = targets.map(({ expr }) => expr);
  expect(unknownIn(exprs)).toEqual([]);
  expect(strangeLabels(exprs)).toEqual([]);
  const shown = exprs.flatMap(metricsIn);
  expect(NAMES.filter((name) => !shown.includes(name))).toEqual([]);
});
