import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'web',
  buildDirectory: 'build',
  ssr: true,
  // The whole route map is small enough to ship, so the browser need not discover routes.
  routeDiscovery: { mode: 'initial' },
  // Loaders and actions stay with their page: separate files would make the route map larger.
  splitRouteModules: false,
} satisfies Config;
