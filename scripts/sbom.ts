/** Writes the bill of materials to build/sbom.json. Checks that it has all production packages. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const ROOT = path.resolve(import.meta.dirname, '..');
const FILE = path.join(ROOT, 'build/sbom.json');

const CycloneDx = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })).optional(),
      licenses: z.array(z.unknown()).optional(),
    }),
  ),
});
const Lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string(), dev: z.boolean().optional() })),
});

const { status, stdout, stderr } = spawnSync(
  'npm',
  // Without --omit=dev, which also drops packages shared by production and development (npm 11.19).
  ['sbom', '--sbom-format=cyclonedx'],
  { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
const { components } = CycloneDx.parse(JSON.parse(stdout));
// Some packages name their license only in a file.
const unlicensed = components
  .filter(({ licenses }) => !licenses?.length)
  .filter(({ name }) => !existsSync(path.join(ROOT, 'node_modules', name, 'LICENSE')))
  .map(({ name }) => name);
if (unlicensed.length > 0) throw new Error(`no license: ${unlicensed.join(', ')}`);

// A package counts only with its hash, which shows that the installed one matches the lock file.
const listed = new Set(
  components.flatMap(({ name, version, hashes }) => (hashes?.length ? [`${name}@${version}`] : [])),
);

const lock = Lock.parse(JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')));
const missing = Object.entries(lock.packages)
  // Packages for other platforms are in the lock file but not installed.
  .filter(([place, { dev }]) => place !== '' && !dev && existsSync(path.join(ROOT, place)))
  .map(([place, { version }]) => `${place.replace(/^.*node_modules\//, '')}@${version}`)
  .filter((name) => !listed.has(name));
if (missing.length > 0)
  throw new Error(`not in the bill of materials, with its hash: ${missing.join(', ')}`);

mkdirSync(path.dirname(FILE), { recursive: true });
writeFileSync(FILE, stdout);
console.log(`${components.length} packages in ${path.relative(ROOT, FILE)}`);
