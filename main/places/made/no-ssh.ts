import type { ConnectionOptions } from '../programs.ts'

/** Containers and pods are not reached by ssh. */
export const NO_SSH: ConnectionOptions = { sockets: null, sshConfig: null, asking: null }
