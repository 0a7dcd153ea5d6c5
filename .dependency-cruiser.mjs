/** Who may import whom (docs/architecture.md). */
export default {
  forbidden: [
    {
      name: 'contract-stands-alone',
      comment: 'The contract is what server and web share: it knows neither.',
      severity: 'error',
      from: { path: '^contract/' },
      to: { path: '^(server|web)/' },
    },
    {
      name: 'web-without-server',
      comment: 'Pages reach the server through the API alone.',
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
      comment: 'A feature of the server is used through its service.ts.',
      severity: 'error',
      // What tests share may use what the tests of another feature share.
      from: { path: '^server/features/([^/]+)/', pathNot: '/testing/' },
      to: { path: '^server/features/', pathNot: '^server/features/($1/|[^/]+/service[.]ts$)' },
    },
    {
      name: 'web-features-apart',
      comment: 'A feature of the pages does not reach into another.',
      severity: 'error',
      from: { path: '^web/features/([^/]+)/' },
      to: { path: '^web/features/', pathNot: '^web/features/$1/' },
    },
    {
      name: 'listing-knows-no-feature',
      comment: 'listing/ is what all lists of the pages share: features declare theirs to it.',
      severity: 'error',
      from: { path: '^web/listing/' },
      to: { path: '^web/(features|routes|shell)/' },
    },
    {
      name: 'primitives-know-nothing',
      comment: 'ui/ knows no feature, no API and no router.',
      severity: 'error',
      from: { path: '^web/ui/' },
      to: { path: '^web/(features|lib|routes)/|^node_modules/react-router/' },
    },
    {
      name: 'pure-rules',
      comment: 'The rules of anonymity do no I/O: they see no database and no server.',
      severity: 'error',
      from: { path: '^server/anonymity/', pathNot: '/testing/' },
      to: { path: '^server/', pathNot: '^server/anonymity/' },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'Nothing that runs in production imports what tests are made of.',
      severity: 'error',
      from: { path: '^(contract|server|web)/', pathNot: '[.]test[.]tsx?$|/testing/' },
      to: { path: '/testing/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Tests may import what they like (and swc's visitor does not know their `using`).
    exclude: { path: '^(build|[.]react-router)/|[.]test[.]tsx?$' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
