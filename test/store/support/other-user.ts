import { accessSync, constants } from 'node:fs'
import process from 'node:process'

/**
 * Returns arguments that are placed before a command, so that the command runs as a user who owns nothing. Null if this machine or this
 * user cannot do that.
 */
export function asOtherUser(): readonly string[] | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  try {
    accessSync('/usr/bin/setpriv', constants.X_OK)
    return ['/usr/bin/setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs']
  } catch {
    return null
  }
}
