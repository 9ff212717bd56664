import { readdirSync, readlinkSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hasNoCopies, openCopies } from '../support.ts'

/** Returns the mount namespaces that this process holds open. */
function heldNamespaces(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`)
      return target.startsWith('mnt:') ? [target] : []
    } catch {
      return []
    }
  })
}

describe.skipIf(hasNoCopies)('the mounts of a copy', () => {
  it('are held while its command runs, so that the command can end without waiting for the kernel to unmount, and are then released', async () => {
    const { copies } = openCopies({ a: 'a' })
    const stop = new AbortController()
    const ended = copies.run('sleep 60', { signal: stop.signal })
    await expect.poll(heldNamespaces).toEqual([expect.not.stringContaining(readlinkSync('/proc/self/ns/mnt'))])
    stop.abort()
    await ended
    await expect.poll(heldNamespaces).toEqual([])
  })
})
