import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const WASM = fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'));
let loading: Promise<void> | undefined;

/** Draws an SVG image without text, at its own width or another one. */
export async function toPng(svg: string, width?: number): Promise<Uint8Array> {
  loading ??= initWasm(readFileSync(WASM));
  await loading;
  const image = new Resvg(svg, width ? { fitTo: { mode: 'width', value: width } } : {});
  try {
    const rendered = image.render();
    try {
      return rendered.asPng();
    } finally {
      rendered.free();
    }
  } finally {
    image.free();
  }
}
