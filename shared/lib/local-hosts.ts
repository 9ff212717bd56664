/** Whether a host is a name that always means this machine. */
export const isLocalhost = (host: string): boolean => /(?:^|\.)localhost\.?$/iu.test(host)

/** Whether a URL's host name is this machine itself, as a name or as an address. */
export const isLoopback = (hostname: string): boolean =>
  isLocalhost(hostname) || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/u.test(hostname)
