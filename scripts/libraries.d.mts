export declare const isLibrary: (file: string) => boolean;
