import { layers, owners, tops, uiLayers } from './layers.mjs';

const under = (names) => `^(${names.join('|')})(/|$)`;
const inside = (top, names) => names.map((name) => (name.includes('/') ? name : `${top}/${name}`));
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

// The bare name is matched too: a package that is not installed resolves to it, and must not slip through.
const ownerRule = ([name, home]) => ({
  name: `owner:${name}`,
  severity: 'error',
  from: { path: under(['worker', 'src', 'ui', 'bridge']), pathNot: [`^(${home})`, tests] },
  to: { path: `(^|/)(node_modules/)?${name}(/|$)`, pathNot: '^(worker|src|ui|bridge)/' },
});

export default {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^(.+)$' },
      to: { circular: true, pathNot: '^$1$' },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^node:' } },
    {
      name: 'fixtures',
      severity: 'error',
      from: { path: under(['worker', 'src', 'ui', 'bridge']), pathNot: tests },
      to: { path: '\\.fixture\\.ts$' },
    },
    ...Object.entries(layers).map(([folder, allowed]) =>
      layerRule(`worker/${folder}`, inside('worker', allowed)),
    ),
    ...Object.entries(uiLayers).map(([folder, allowed]) =>
      layerRule(`ui/${folder}`, ['src', ...inside('ui', allowed)]),
    ),
    ...Object.entries(tops).map(([folder, allowed]) => layerRule(folder, allowed)),
    ...Object.entries(owners).map(ownerRule),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default', 'types'] },
    exclude: { path: '^scripts/canaries/' },
  },
};
