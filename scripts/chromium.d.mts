export declare const findChromium: () => Promise<string | null>;
export declare const launchOptions: () => Promise<{ executablePath?: string; args: string[] }>;
export declare const idleFeatures: readonly string[];
export declare const testOptions: typeof launchOptions;
