import { createElement, type SVGProps } from 'react';

interface IconData {
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[];
}

/**
 * Builds an icon component from its drawing. Replaces lucide-react's own function (vite.config.ts),
 * which adds 1.2 kB to every page and repeats this work on every render.
 */
// biome-ignore lint/style/noDefaultExport: as lucide-react's icons import it
export default function createLucideIcon({ node }: IconData) {
  const drawing = node.map(([tag, attributes]) => createElement(tag, attributes));
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each icon, by its module
  return function LucideIcon(props: SVGProps<SVGSVGElement>) {
    const svg: SVGProps<SVGSVGElement> = {
      width: 24,
      height: 24,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: 2,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      ...props,
    };
    return createElement('svg', svg, drawing);
  };
}
