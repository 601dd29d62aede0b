export declare const isLibrary: (file: string) => boolean;
export declare const isStoredAhead: (file: string) => boolean;
