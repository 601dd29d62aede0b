import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Application, Converter, type ProjectReflection, ReflectionKind } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { listModules, pageNameOf } from './modules.ts';

const introduction =
  'The modules of the package, from their types and comments. [The library](../library.md) explains how they are used.';

const markdown: Partial<PluginOptions> = {
  outputFileStrategy: 'modules',
  entryFileName: 'index',
  modulesFileName: 'index',
  useHTMLAnchors: true,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  hideGroupHeadings: false,
  useCodeBlocks: true,
  expandObjects: true,
  parametersFormat: 'table',
  propertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  typeDeclarationVisibility: 'compact',
};

/** The modules named as they are imported, not by their files: typedoc calls `src/bridge/index.ts` `bridge`. */
const renameModules = (project: ProjectReflection, modules: ReadonlyMap<string, string>): void => {
  const names = new Map(
    [...modules].map(([name, file]) => [file.replace(/^src\/|\.ts$/g, '').replace(/\/index$/, ''), name]),
  );
  for (const module of project.getReflectionsByKind(ReflectionKind.Module))
    module.name = pageNameOf(names.get(module.name) ?? module.name);
};

/** Writes a page per module of the package below `folder`, from its types and comments. */
export const writeApi = async (root: string, folder: string): Promise<void> => {
  const modules = listModules(root);
  const app = await Application.bootstrapWithPlugins({
    entryPoints: [...modules.values()].map((file) => join(root, file)),
    tsconfig: join(root, 'src/tsconfig.build.json'),
    plugin: ['typedoc-plugin-markdown'],
    readme: 'none',
    groupOrder: ['Functions', 'Variables', 'Type Aliases', 'Interfaces', 'Classes'],
    // Named here, because typedoc writes to docs/ unless told otherwise.
    outputs: [{ name: 'markdown', path: folder }],
    // Other threads look for the pages meanwhile.
    cleanOutputDir: false,
    disableSources: true,
    excludePrivate: true,
    // What errors and arrays inherit from the language.
    excludeExternals: true,
    excludeInternal: true,
    skipErrorChecking: true,
    logLevel: 'Error',
    ...(markdown as object),
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }: { project: ProjectReflection }) =>
    renameModules(project, modules),
  );
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc could not read the types');
  await app.generateOutputs(project);
  if (app.logger.hasErrors()) throw new Error('typedoc could not write the reference');
  for (const name of modules.keys()) {
    const file = join(folder, `${pageNameOf(name)}.md`);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^# .*/, `# ${name}`));
  }
  const lines = [...modules.keys()].map((name) => `- [${name}](${pageNameOf(name)}.md)`);
  writeFileSync(join(folder, 'index.md'), `# API reference\n\n${introduction}\n\n${lines.join('\n')}\n`);
};
