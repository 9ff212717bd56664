import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { keepCompiled } from '../bootstrap/compile-cache.mjs'
import { hideSecretVariables } from '../environment/launch-environment.ts'
import { buildHash } from './build-hash.ts'

/**
 * The far half: a process that serves this machine's files and programs over its standard input and output. Started with Node and without
 * arguments; everything else comes in the first message. Ends, with all that it started, when its input ends.
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
  process.stderr.write(`${error.stack ?? error.message}\n`)
  stop.abort()
})
const input = new Socket({ fd: 0, readable: true, writable: false })
// `process.stdout` would wait for a slow reader, and nothing else would happen in the meantime.
const output = new Socket({ fd: 1, readable: false, writable: true })
// Whatever else is printed must not get between the frames.
process.stdout.write = process.stderr.write.bind(process.stderr)
const why = await serveHost({ input, output }, await buildHash(new URL(import.meta.url)), stop.signal)
process.stderr.write(`The host process ended: ${why}\n`)
await Promise.race([new Promise((resolve) => output.once('close', resolve)), delay(LAST_MESSAGE_MS)])
process.exit(0)
