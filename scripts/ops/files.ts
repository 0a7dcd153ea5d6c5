import { parse, parseAllDocuments } from 'yaml';
import { read } from '../docs/markdown.ts';

/** The parts of a Kubernetes object that the checks read. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  // biome-ignore lint/suspicious/noExplicitAny: Kubernetes schemas check its shape.
  readonly [part: string]: any;
}

/** The objects in a YAML file. Throws on invalid YAML, such as a duplicate key. */
export function manifestsIn(file: string): Manifest[] {
  return parseAllDocuments(read(file)).map((document) => {
    for (const problem of [...document.errors, ...document.warnings]) throw problem;
    return document.toJS();
  });
}

interface Service {
  readonly image: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly networks: readonly string[];
  readonly env_file?: string;
  readonly stop_grace_period: string;
  readonly [option: string]: unknown;
}
interface Network {
  readonly internal?: boolean;
  readonly ipam?: { readonly config: readonly { readonly subnet: string }[] };
}

export interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: Readonly<Record<string, Network>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

export const composeFile = (): Compose =>
  parse(read('ops/compose.yaml'), { merge: true, uniqueKeys: true });

interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The instructions of ops/Containerfile, by build stage; those before the first stage first. */
export function containerfileStages(): Instruction[][] {
  const lines = read('ops/Containerfile')
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean);
  const stages: Instruction[][] = [[]];
  for (const line of lines) {
    const [, name = '', value = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, value });
  }
  return stages;
}

/** The values of the last stage's directives with this name. */
export const inImage = (name: string) =>
  (containerfileStages().at(-1) ?? [])
    .filter((each) => each.name === name)
    .map(({ value }) => value);

/** Parses `NAME=value` lines, as in an environment file. */
export function variablesIn(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

/** A directive's values in a systemd unit, in order. */
export const inUnit = (unit: string, directive: string) =>
  read(unit)
    .split('\n')
    .filter((line) => line.startsWith(`${directive}=`))
    .map((line) => line.slice(directive.length + 1));

/** `60s`, `2m`, or `5` (seconds) in milliseconds. */
export function durationMs(text: string): number {
  const [, number = '', unit = 's'] = /^(\d+)(s|m|h)?$/.exec(text) ?? [];
  const factor = { s: 1000, m: 60_000, h: 3_600_000 }[unit] ?? Number.NaN;
  if (number === '') throw new Error(`not a duration: ${text}`);
  return Number(number) * factor;
}
