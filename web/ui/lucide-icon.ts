import { createElement, type SVGProps } from 'react';

interface IconData {
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[];
}

/**
 * Builds an icon component from its drawing. Replaces lucide-react's own function (vite.config.ts),
 * which adds 1.2 kB to every page and repeats this work on every render. A page has up to 65 icons,
 * so what they have in common is in web/styles/base.css.
 */
// biome-ignore lint/style/noDefaultExport: as lucide-react's icons import it
export default function createLucideIcon({ node }: IconData) {
  const drawing = node.map(([tag, attributes]) => createElement(tag, attributes));
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each icon, by its module
  return function LucideIcon(props: SVGProps<SVGSVGElement>) {
    return createElement('svg', { viewBox: '0 0 24 24', ...props }, drawing);
  };
}
