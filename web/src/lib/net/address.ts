/** Whether nobody but this machine itself can come to an address. */
export const isInside = (host: string): boolean => /^(localhost|127\.|\[::1\])/.test(host);
