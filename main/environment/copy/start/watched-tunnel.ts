import type { Socket } from 'node:net'
import { type Duplex, Transform } from 'node:stream'
import type { BlockedHost, TrafficWatch } from '../../../agent/ports/command-copies.ts'

export const REQUEST_REFUSED = 'Countersign: no more requests are passed on, because a budget is used up.\n'
const NOT_CHECKED = 'Countersign: this request is not passed on, because its budget could not be checked.\n'

/**
 * Joins a program's connection to its host. The first bytes after an answer count as a new request, even in an encrypted connection, so
 * they wait for `onRequest`. Unencrypted answers are passed to `onAnswer`. `head`: the bytes that the program has already sent.
 */
export function joinWatched(client: Duplex, server: Socket, head: Buffer, host: BlockedHost, traffic: TrafficWatch): void {
  let isAnswered = true
  let hear: ((bytes: Uint8Array) => void) | null = null
  let isPlain = false
  server.on('data', (bytes: Buffer) => {
    isAnswered = true
    if (isPlain) hear?.(bytes)
  })
  const refuse = (why: string): void => {
    if (isPlain) client.end(`HTTP/1.1 403 Forbidden\r\ncontent-length: ${why.length}\r\nconnection: close\r\n\r\n${why}`)
    else client.destroy()
    server.destroy()
  }
  /** Why the request is refused. Null if it is passed on. */
  const refusal = async (bytes: Buffer): Promise<string | null> => {
    isAnswered = false
    isPlain = PLAIN_REQUEST.test(bytes.subarray(0, 16).toString('latin1'))
    try {
      const answer = await traffic.onRequest(host)
      hear = answer && answer.onAnswer
      return answer === null ? REQUEST_REFUSED : null
    } catch {
      return NOT_CHECKED
    }
  }
  const requests = new Transform({
    async transform(bytes: Buffer, _encoding, done) {
      const why = isAnswered ? await refusal(bytes) : null
      if (why === null) done(null, bytes)
      else refuse(why)
    },
  })
  server.pipe(client)
  client.pipe(requests).pipe(server)
  if (head.length > 0) requests.write(head)
}

const PLAIN_REQUEST = /^[A-Z]{3,10} [/*h]/u
