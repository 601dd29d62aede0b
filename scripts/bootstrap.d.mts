export declare const root: string;
export declare const toolEnvironment: () => Record<string, string | undefined>;
