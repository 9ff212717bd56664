import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { keepCompiled } from '../bootstrap/compile-cache.mjs'
import { EnvironmentFailure } from '../environment/environment-failure.ts'
import { hideSecretVariables } from '../environment/launch-environment.ts'
import { buildHash } from './build-hash.ts'
import type { HostStreams } from './far/serve-host.ts'

/**
 * The far half: a process that serves this machine's files and programs over its standard input and output. Started with Node and without
 * arguments; everything else comes in the first message. Ends, with all that it started, when its input ends.
 *
 * With `start SOCKET MS`, this process starts a daemon that does this behind the socket, and connects its own streams to the daemon. If the
 * connection is lost, the daemon goes on for this time, and `attach SOCKET` connects to it again.
 */

/** After the clean-up, how long to wait for the last message to be read, in ms. */
const LAST_MESSAGE_MS = 500

keepCompiled()
hideSecretVariables()
const { serveHost } = await import('./far/serve-host.ts')
const stop = new AbortController()
for (const signal of ['SIGHUP', 'SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort())
// The near side, which reads the errors, may be gone.
process.stderr.on('error', () => {})
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error instanceof EnvironmentFailure ? error.message : (error.stack ?? error.message)}\n`)
  stop.abort()
})
const self = new URL(import.meta.url)
const [mode, socket = '', graceMs = ''] = process.argv.slice(2)
// Whatever else is printed must not get between the frames.
process.stdout.write = process.stderr.write.bind(process.stderr)
if (mode === 'start' || mode === 'attach') {
  stop.signal.addEventListener('abort', () => process.exit(1))
  await (await import('./far/daemon.ts')).attachTo(socket, mode === 'start' ? graceMs : null, self, standardStreams())
} else if (mode === 'daemon') await serveLine()
else await serveStreams(standardStreams())
process.exit(0)

/** `process.stdout` would wait for a slow reader, and nothing else would happen in the meantime. */
function standardStreams(): HostStreams {
  return { input: new Socket({ fd: 0, readable: true, writable: false }), output: new Socket({ fd: 1, readable: false, writable: true }) }
}

async function serveStreams({ input, output }: HostStreams): Promise<void> {
  const why = await serveHost({ input, output }, await buildHash(self), stop.signal)
  process.stderr.write(`The host process ended: ${why}\n`)
  await Promise.race([new Promise((resolve) => output.once('close', resolve)), delay(LAST_MESSAGE_MS)])
}

async function serveLine(): Promise<void> {
  const { listenOn } = await import('./far/daemon.ts')
  const line = listenOn(socket, Number(graceMs))
  await serveHost(line, await buildHash(self), stop.signal)
  await delay(LAST_MESSAGE_MS)
  line.close()
}
