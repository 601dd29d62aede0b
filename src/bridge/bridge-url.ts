/** Addresses of this machine; a page connects to no others. */
const localUrl = /^wss?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?(?:\/tabnode)?\/?$/;

/** Whether this can be the address of a bridge on this machine. */
export const isBridgeUrl = (url: string): boolean => localUrl.test(url);
