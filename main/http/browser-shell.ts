import type { Result } from '../../shared/lib/result.ts'
import type { Trouble } from '../../shared/session/events.ts'
import type { Contract, Handlers } from '../../shared/wire/contract.ts'
import { serve } from '../../shared/wire/serve.ts'
import { readAssetTable } from './asset-table.ts'
import { type HttpShell, startHttpShell } from './http-shell.ts'
import type { Host } from '../host.ts'
import { headlessHost } from '../headless/headless-host.ts'
import { outsideLink } from './outside-link.ts'

/** The app as the shells use it. */
export interface ServedApp<C extends Contract> {
  readonly contract: C
  readonly handlers: Handlers<C>
  close(): Promise<void>
}

export interface BrowserShellParts<C extends Contract> {
  readonly port: number
  /** The folder that contains the built page. */
  readonly pageFolder: string
  readonly createApp: () => Promise<Result<ServedApp<C>, Trouble>>
  /** Called when the port is open and the app runs. Each call of `address` returns a new address. */
  readonly onReady: (address: () => string) => void
  readonly onBug: (error: unknown, where: string) => void
  /** Aborting ends the shell. */
  readonly signal: AbortSignal
}

/** How long the app may take to close (ms): its commands get 2 s between TERM and KILL. */
const CLOSE_MS = 8_000

/**
 * Runs the app behind the loopback server until the signal aborts. Resolves to null when everything is closed, or to the reason why it
 * could not start. In both cases nothing keeps running.
 */
export async function runBrowserShell<C extends Contract>(parts: BrowserShellParts<C>): Promise<Trouble | null> {
  const assets = await readAssetTable(parts.pageFolder)
  if (!assets.ok) return assets.failure
  let app: ServedApp<C> | null = null
  let windows = 0
  // Nobody can connect before the app runs, because no address with a token has been issued yet.
  const shell = await startHttpShell({
    port: parts.port,
    assets: assets.value,
    onBug: (error) => parts.onBug(error, 'http'),
    onWire: (wire) => {
      if (app) serve(wire, app.contract, app.handlers, { connection: `browser-${++windows}`, onBug: parts.onBug })
      else wire.close('Countersign is not ready')
    },
  })
  if (!shell.ok) return shell.failure
  const created = await parts.createApp()
  if (!created.ok) {
    await shell.value.close()
    return created.failure
  }
  app = created.value
  parts.onReady(shell.value.address)
  await aborted(parts.signal)
  await end(shell.value, () => created.value.close(), parts.onBug)
  return null
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Closes the pages first, so that none of them sees a half-closed app. Does not wait forever for an app that hangs. */
async function end(shell: HttpShell, closeApp: () => Promise<void>, onBug: (error: unknown, where: string) => void): Promise<void> {
  await shell.close()
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      onBug(new Error(`the app did not close within ${CLOSE_MS} ms`), 'close')
      resolve()
    }, CLOSE_MS)
  })
  await Promise.race([closeApp().catch((error: unknown) => onBug(error, 'close')), late])
  clearTimeout(timer)
}

/** The host for the browser shell. A page cannot use the system's dialogs or keychain, so keys are kept in memory. */
export function browserHost(): Host {
  return {
    ...headlessHost(),
    openLink(url) {
      const checked = outsideLink(url)
      return Promise.resolve({ opened: false, why: checked.ok ? 'This browser opens links itself.' : checked.failure })
    },
  }
}
