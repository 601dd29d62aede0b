export declare const findChromium: () => Promise<string | null>;
export declare const launchOptions: () => Promise<{ executablePath?: string; args: string[] }>;
