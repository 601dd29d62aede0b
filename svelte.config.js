/** A component in the legacy syntax is an error. */
export default { compilerOptions: { runes: true } };
