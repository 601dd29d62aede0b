import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';

/** The pages of the site by their file in the repository: the guide, the reference, the decisions, and what lies in the root. */
export const listPages = (root: string): ReadonlyMap<string, string> => {
  const under = (folder: string): readonly (readonly [string, string])[] =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => [
        `${folder}/${name}`,
        `${folder}/${name === 'README.md' ? 'index.md' : name}`.replace(/^docs\//, ''),
      ]);
  return new Map([
    ['README.md', 'index.md'],
    ...['ARCHITECTURE', 'CONTRIBUTING', 'CHANGELOG'].map(
      (name) => [`${name}.md`, `${name.toLowerCase()}.md`] as const,
    ),
    ...under('docs'),
    ...under('docs/decisions'),
  ]);
};

/** Files of the repository that the site has as they are, beside the pages. */
const copied = /^docs\/(screenshots\/|openrpc\.json$)/;

export type LinkPlaces = {
  readonly root: string;
  readonly pages: ReadonlyMap<string, string>;
  /** Where the repository's files are shown, such as `https://host/owner/name/blob/main`. */
  readonly repository: string | undefined;
};

/** A link out of the page `from`, both as in the repository; null: the site has no place for it, so that only its text is left. */
const resolveLink = (link: string, from: string, { root, pages, repository }: LinkPlaces): string | null => {
  const [path = '', anchor] = link.split('#');
  if (path === '' || /^[a-z]+:/.test(path)) return link;
  const target = join(dirname(from), path);
  const to = pages.get(target) ?? (copied.test(target) ? target.replace('docs/', '') : undefined);
  if (to !== undefined) {
    const place = relative(dirname(pages.get(from) ?? '.'), to);
    return `${place.startsWith('.') ? place : `./${place}`}${anchor === undefined ? '' : `#${anchor}`}`;
  }
  // VitePress reports it as a dead link.
  if (!existsSync(join(root, target))) return link;
  return repository === undefined ? null : `${repository}/${target}`;
};

/** Fenced blocks, code in a line, or a link, whose label may contain code. */
const parts = /^```.*?^```$|`[^`\n]+`(?!\])|(!?)\[((?:[^[\]`]|`[^`\n]*`)*)\]\(([^)\s]+)\)/gms;

/** The text of a page with the links of the site. Links in code are left as they are. */
export const withSiteLinks = (text: string, from: string, places: LinkPlaces): string =>
  text.replace(parts, (whole: string, image?: string, label?: string, link?: string) => {
    if (label === undefined || link === undefined) return whole;
    const place = resolveLink(link, from, places);
    return place === null ? label : `${image}[${label}](${place})`;
  });
