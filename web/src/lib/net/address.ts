/** Whether nobody but this machine itself can come to an address. */
export const isInside = (host: string): boolean => /^(localhost|127\.|\[::1\])/.test(host);

/** Whether a host is given by its number, and not by a name. */
export const isNumber = (host: string): boolean => /^[\d.]+$|:/.test(host);
