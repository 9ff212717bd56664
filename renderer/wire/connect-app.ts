import type { PreloadBridge } from '../../shared/wire/ipc-packet.ts'
import type { Wire } from '../../shared/wire/wire.ts'
import { ipcWire } from './ipc-wire.ts'
import { answerOtherWindows, askOtherWindows, sessionSecret } from './page-secret.ts'
import { socketToken } from './sign-in.ts'
import { websocketWire } from './websocket-wire.ts'

declare global {
  interface Window {
    /** Present only in the desktop shell. */
    readonly countersign?: PreloadBridge
  }
}

const pageSecret = sessionSecret()

/**
 * Opens one wire to main: through the preload script if there is one, otherwise by a socket to the server of this page. Must be called
 * again after the wire's `onClose`. Rejects with a readable error, or with `SignedOut` if the user must open the page with a new address.
 */
export async function connectApp(): Promise<Wire> {
  if (window.countersign) return ipcWire(window.countersign)
  const token = await socketToken({
    fragment: location.hash,
    forgetFragment: () => history.replaceState(history.state, '', location.pathname),
    fetch: (path, init) => reach(path, init),
    secret: pageSecret,
    askOtherWindows,
  })
  const wire = await websocketWire(new WebSocket(new URL('/wire', location.href.replace(/^http/, 'ws'))), token)
  const answering = answerOtherWindows(pageSecret)
  wire.onClose(() => answering.dispose())
  return wire
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...init, credentials: 'omit', cache: 'no-store' })
  } catch (error) {
    throw new Error('Countersign is not responding: it has exited, or the connection to it was lost.', { cause: error })
  }
}
