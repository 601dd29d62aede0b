/** SHA-256 of allocator.wat. */
export declare const hashText: () => string;
