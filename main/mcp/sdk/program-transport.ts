import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import type { OpenedProgram } from '../../agent/ports/opened-program.ts'
import { createNullMetaFilter } from './null-meta.ts'

/** Maximum size of a message in bytes. A server that sends a larger one is disconnected. */
const MAX_MESSAGE = 8 * 1024 * 1024
/** Time in ms that a server has to exit after the end of its input. */
const GRACE_MS = 2_000

/** The library recognizes a program by these two members. If a program does not answer, the library falls back to the old revision. */
const IS_PROGRAM = { pid: null, stderr: null }

/** A transport over the pipes of a server's program. `open` starts the program. `onLog` gets each line of its error output. */
export function programTransport(open: () => Promise<OpenedProgram>, onLog: (line: string) => void): Transport {
  const buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE })
  const filter = createNullMetaFilter()
  let program: OpenedProgram | null = null
  const failed = (error: unknown): void => transport.onerror?.(error instanceof Error ? error : new Error(String(error)))
  const nextMessage = (): ReturnType<ReadBuffer['readMessage']> | 'malformed' => {
    try {
      return buffer.readMessage()
    } catch (error) {
      failed(error)
      return 'malformed'
    }
  }
  const take = (bytes: Buffer): void => {
    try {
      buffer.append(filter(bytes))
    } catch (error) {
      failed(error)
      void transport.close()
      return
    }
    for (let message = nextMessage(); message !== null; message = nextMessage()) if (message !== 'malformed') transport.onmessage?.(message)
  }
  const transport: Transport & typeof IS_PROGRAM = {
    ...IS_PROGRAM,
    async start() {
      program = await open()
      program.stdout.on('data', take)
      program.stdout.once('close', () => transport.onclose?.())
      program.stderr.setEncoding('utf8').on('data', (text: string) => {
        for (const line of text.split('\n')) if (line.trim() !== '') onLog(line)
      })
    },
    async send(message) {
      if (program === null) throw new Error('The server has not been started.')
      const { stdin, ended } = program
      if (!stdin.write(serializeMessage(message))) await Promise.race([once(stdin, 'drain').catch(() => {}), ended])
    },
    async close() {
      if (program === null) return
      program.stdin.end()
      await Promise.race([program.ended, delay(GRACE_MS, null, { ref: false })])
      await program.kill()
      buffer.clear()
    },
  }
  return transport
}
