import type { Use } from '../../shared/lib/deferred-calls.ts'
import { deferredSite } from '../host-process/near/deferred/deferred-site.ts'
import type { SignedFile } from '../agent/ports/command-copies.ts'
import type { HostProcess } from '../host-process/near/start-host-process.ts'
import type { Site } from '../host-process/site.ts'

/** Time in ms after which an unused host process is ended. */
const IDLE_MS = 5 * 60_000
const CHECK_MS = 30_000

export interface FarHostParts {
  /** The folder at the place. */
  readonly folder: string
  readonly platform: string
  readonly osVersion: string
  /** Whether the host processes of the place have copies and layers. */
  readonly hasCopies: boolean
  /** Starts a host process for the folder. */
  start(): Promise<HostProcess>
}

/** A folder at another place, served by a host process there. */
export interface FarHost {
  readonly site: Site
  /** Ends the host process and every program it runs. */
  close(): Promise<void>
}

/**
 * Serves a folder at another place. The host process starts with the first call, starts again after its connection was lost, and ends after
 * five minutes without use.
 */
export function createFarHost({ folder, platform, osVersion, hasCopies, start }: FarHostParts): FarHost {
  let running: Promise<HostProcess> | null = null
  let host: HostProcess | null = null
  let open = 0
  let usedAt = performance.now()
  /** The paths (see `SiteFacts.inUse`) where programs may run that outlive the call that started them. */
  const inUse = new Set<string>()
  /** Signed contents, by path and hash. */
  const signed = new Map<string, SignedFile>()
  const begin = (): Promise<HostProcess> => {
    const begun = start()
    running = begun
    const forget = (): void => {
      if (running !== begun) return
      running = null
      host = null
      inUse.clear()
    }
    begun.then((started) => {
      started.copies?.sign([...signed.values()])
      if (running === begun) host = started
      void started.ended.then(forget)
    }, forget)
    return begun
  }
  const end = async (): Promise<void> => {
    const last = running
    running = null
    host = null
    inUse.clear()
    await (await last?.catch(() => null))?.close()
  }
  const isIdle = (): boolean => open === 0 && inUse.size === 0 && performance.now() - usedAt > IDLE_MS
  const timer = setInterval(() => void (running !== null && isIdle() && end()), CHECK_MS).unref()
  const use: Use<HostProcess> = async (work) => {
    open += 1
    try {
      return await work(await (running ?? begin()))
    } finally {
      open -= 1
      usedAt = performance.now()
    }
  }
  const facts = {
    folder,
    platform,
    osVersion,
    ifRunning: (work: (site: HostProcess) => unknown) => void (host && work(host)),
    sign(files: readonly SignedFile[]) {
      for (const file of files) signed.set(`${file.hash} ${file.path}`, file)
      host?.copies?.sign(files)
    },
    inUse: (path: string, isInUse: boolean) => void (isInUse ? inUse.add(path) : inUse.delete(path)),
  }
  return {
    site: deferredSite(facts, hasCopies, use),
    async close() {
      clearInterval(timer)
      await end()
    },
  }
}
