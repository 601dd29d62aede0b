import { bridgeLayers, layers, owners, tops, uiLayers } from './layers.mjs';

const under = (names) => `^(${names.join('|')})(/|$)`;
const inside = (top, names) =>
  names.map((name) => (/^(worker|src|ui|bridge)\//.test(name) ? name : `${top}/${name}`));
const tests = '\\.(test|fixture)\\.ts$';

const layerRule = (folder, allowed) => ({
  name: `layer:${folder}`,
  severity: 'error',
  from: { path: under([folder]), pathNot: tests },
  to: {
    path: under(['worker', 'src', 'ui', 'bridge']),
    pathNot: under([folder, 'src/protocol', ...allowed]),
  },
});

/** Of a folder in a folder: which of its siblings it may import. What lies outside is the rule of the folder above. */
const siblingRule = (folder, parent, allowed) => ({
  name: `layer:${folder}`,
  severity: 'error',
  from: { path: under([folder]), pathNot: tests },
  to: {
    path: under([parent]),
    pathNot: [
      under([folder]),
      ...allowed.map((name) => (folder.startsWith(`${name}/`) ? `^${name}/[^/]+$` : under([name]))),
    ],
  },
});

const rules = (top, table, always = []) =>
  Object.entries(table).map(([folder, allowed]) => {
    const [parent, child] = folder.split('/');
    return child === undefined || table[parent] === undefined
      ? layerRule(`${top}/${folder}`, [...always, ...inside(top, allowed)])
      : siblingRule(`${top}/${folder}`, `${top}/${parent}`, inside(top, allowed));
  });

// The bare name is matched too: a package that is not installed resolves to it, and must not slip through.
const ownerRule = ([name, home]) => ({
  name: `owner:${name}`,
  severity: 'error',
  from: { path: under(['worker', 'src', 'ui', 'bridge']), pathNot: [`^(${home})`, tests] },
  to: { path: `(^|/)(node_modules/)?${name}(/|$)`, pathNot: '^(worker|src|ui|bridge)/' },
});

/** Only these may import what loads when it is asked for, and tests. */
const lateRule = (name, comment, own, to) => ({
  name,
  severity: 'error',
  comment,
  from: { path: '^(worker|src|ui|bridge)/', pathNot: [...own, tests] },
  to,
});

export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^((?:worker|src|ui|bridge)/.+)$' },
      to: { circular: true, pathNot: '^$1$' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^node:' } },
    {
      name: 'fixtures',
      severity: 'error',
      from: { path: under(['worker', 'src', 'ui', 'bridge']), pathNot: tests },
      to: { path: '\\.fixture\\.ts$' },
    },
    ...rules('worker', layers),
    ...rules('ui', uiLayers, ['src']),
    ...Object.entries(bridgeLayers).map(([folder, allowed]) =>
      siblingRule(`bridge/${folder}`, 'bridge', inside('bridge', allowed)),
    ),
    lateRule(
      'repair',
      'The code that repairs a database loads when somebody asks for it.',
      ['^worker/repair\\.ts$', '^worker/chain/repair/'],
      {
        path: '^worker/chain/repair/',
      },
    ),
    lateRule(
      'origin',
      'The code that reads a live chain loads when a fork asks for it.',
      ['^worker/origin/'],
      {
        path: '^worker/origin/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    ),
    {
      name: 'tests',
      severity: 'error',
      from: { path: '^(worker|src|ui|bridge)/', pathNot: ['/testing/', tests] },
      to: { path: '^(test|e2e|bench)/' },
    },
    {
      name: 'rigs',
      severity: 'error',
      comment: 'What every test may start from knows no suite.',
      from: { path: '^test/rigs/' },
      to: { path: '^(test/(?!rigs/)|e2e/|bench/)' },
    },
    ...Object.entries(tops).map(([folder, allowed]) => layerRule(folder, allowed)),
    ...Object.entries(owners).map(ownerRule),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default', 'types'] },
    exclude: { path: '^(scripts/canaries|test/apps)/' },
  },
};
