/** Draws the icons in public/ from public/icon.svg. Run it after changing that file. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toPng } from '#server/features/discovery/preview/png.ts';

const FOLDER = path.resolve(import.meta.dirname, '../public');

interface Icon {
  readonly width: number;
  /** The device rounds the corners itself. Transparent corners would turn black. */
  readonly isSquare?: true;
}

export const ICONS: Readonly<Record<string, Icon>> = {
  'icon-32.png': { width: 32 },
  'apple-touch-icon.png': { width: 180, isSquare: true },
  'icon-192.png': { width: 192 },
  'icon-512.png': { width: 512 },
};

export function drawIcon({ width, isSquare }: Icon): Promise<Uint8Array> {
  const svg = readFileSync(path.join(FOLDER, 'icon.svg'), 'utf8');
  return toPng(isSquare ? svg.replace(/ rx="\d+"/, '') : svg, width);
}

if (import.meta.main) {
  for (const [file, icon] of Object.entries(ICONS)) {
    writeFileSync(path.join(FOLDER, file), await drawIcon(icon));
  }
}
