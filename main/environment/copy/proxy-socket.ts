/** Where a copy finds the proxy's socket. */
export const SOCKET_INSIDE = '/run/countersign-proxy'
