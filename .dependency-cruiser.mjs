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
    {
      name: 'features-by-their-service',
      comment: 'A server feature imports other features only through their service.ts.',
      severity: 'error',
      // Test code may use the shared test code of other features.
      from: { path: '^server/features/([^/]+)/', pathNot: '/testing/' },
      to: { path: '^server/features/', pathNot: '^server/features/($1/|[^/]+/service[.]ts$)' },
    },
    {
      name: 'web-features-apart',
      comment: 'A page feature does not import another.',
      severity: 'error',
      from: { path: '^web/features/([^/]+)/' },
      to: { path: '^web/features/', pathNot: '^web/features/$1/' },
    },
    {
      name: 'listing-knows-no-feature',
      comment: 'All lists share listing/, which does not import features.',
      severity: 'error',
      from: { path: '^web/listing/' },
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
