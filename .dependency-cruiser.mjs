import { FEATURES as BY_NAME } from './scripts/features.ts';

const FEATURES = Object.keys(BY_NAME);

/** Who may import whom (docs/architecture.md). */
export default {
  forbidden: [
    {
      name: 'contract-stands-alone',
      comment: 'Server and web share the contract, which imports neither.',
      severity: 'error',
      from: { path: '^contract/' },
      to: { path: '^(server|web)/' },
    },
    {
      name: 'web-without-server',
      comment: 'Pages reach the server only through the API.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^server/' },
    },
    {
      name: 'server-without-web',
      comment: 'The server renders the pages through the build.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^web/' },
    },
    ...FEATURES.map((feature, at) => ({
      name: `${feature}-knows-no-later-feature`,
      comment: 'A server feature imports only those before it. The others are handed over to it.',
      severity: 'error',
      // Tests may use what any feature shares for them.
      from: { path: `^server/features/${feature}/`, pathNot: '/testing/' },
      to: { path: `^server/features/(${FEATURES.slice(at + 1).join('|') || 'none'})/` },
    })),
    {
      name: 'platform-knows-no-feature',
      comment:
        'Only what composes the server, restores backups, or runs commands imports features.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot:
          '^server/(features|testing|backup|cli|demo)/|^server/(app|compose|start|dev|run)[.]ts$|/testing/',
      },
      to: { path: '^server/features/' },
    },
    {
      name: 'web-features-apart',
      comment: 'A page feature does not import another. The office shows the cases of all.',
      severity: 'error',
      from: { path: '^web/features/([^/]+)/', pathNot: '^web/features/office/cases/' },
      to: { path: '^web/features/', pathNot: '^web/features/$1/' },
    },
    {
      name: 'listing-and-form-know-no-feature',
      comment: 'All lists share listing/, all forms form/. Neither imports features.',
      severity: 'error',
      from: { path: '^web/(listing|form)/' },
      to: { path: '^web/(features|routes|shell)/' },
    },
    {
      name: 'primitives-know-nothing',
      comment: 'ui/ imports no feature, no API, and no router.',
      severity: 'error',
      from: { path: '^web/ui/' },
      to: { path: '^web/(features|lib|routes)/|^node_modules/react-router/' },
    },
    {
      name: 'pure-rules',
      comment: 'The anonymity rules do no I/O: they import neither the database nor the server.',
      severity: 'error',
      from: { path: '^server/anonymity/', pathNot: '/testing/' },
      to: { path: '^server/', pathNot: '^server/anonymity/' },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'Production code does not import test code.',
      severity: 'error',
      from: { path: '^(contract|server|web)/', pathNot: '[.]test[.]tsx?$|/testing/' },
      to: { path: '/testing/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Tests may import anything (and swc's visitor does not support their `using`).
    exclude: { path: '^(build|[.]react-router|scripts/cluster)/|[.]test[.]tsx?$' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
