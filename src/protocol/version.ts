import packageJson from '../../package.json' with { type: 'json' };

/** The version of the package; package.json is its only source. */
export const version: string = packageJson.version;
