import packageJson from '../../package.json' with { type: 'json' };

/** The version of the package: the only place is package.json. */
export const version: string = packageJson.version;
