export type Server = { readonly name: string };
