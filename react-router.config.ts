import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'web',
  buildDirectory: 'build',
  ssr: true,
  // Client-side routing asks for the few routes it needs; the whole map is small enough to ship.
  routeDiscovery: { mode: 'initial' },
  // Loaders and actions stay with their page: files of their own would need more bytes in the map.
  splitRouteModules: false,
} satisfies Config;
