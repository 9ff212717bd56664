import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { BlockedHost } from '../../agent/ports/command-copies.ts'
import type { Channel } from '../wire/channel.ts'
import type { FarRequest, ToNear } from '../wire/messages.ts'
import type { ServedFolder } from './open-folder.ts'
import type { ServedCall, ServedObjects } from './served-call.ts'

type Note = Extract<FarRequest, { kind: 'sign' | 'suspect' | 'unsuspect' | 'decided' }>

/** Handles a message that needs no answer and is about an object of an earlier call. Does nothing if the object is gone. */
export function note(message: Note, { copies }: ServedFolder, { confined, suspected, begun }: ServedObjects): void {
  switch (message.kind) {
    case 'sign':
      return copies?.sign(message.files)
    case 'suspect': {
      const suspicion = confined.get(message.id)?.suspect(message.since)
      return void (suspicion && suspected.set(`${message.id} ${message.mark}`, suspicion))
    }
    case 'unsuspect':
      suspected.get(`${message.id} ${message.mark}`)?.dispose()
      return void suspected.delete(`${message.id} ${message.mark}`)
    case 'decided':
      begun.get(message.id)?.dispose()
      return void begun.delete(message.id)
    default:
      return assertNever(message)
  }
}

/** Asks the near side whether programs may reach hosts. */
export function askNear(channel: Channel<ToNear>) {
  const waiting = new Map<number, (may: boolean) => void>()
  let next = 1
  return {
    host(id: number, { host, port }: BlockedHost): Promise<boolean> {
      const question = next++
      const { promise, resolve } = Promise.withResolvers<boolean>()
      waiting.set(question, resolve)
      channel.send({ kind: 'host', id, question, host: { host, port } })
      return promise
    },
    answered(question: number, may: boolean): void {
      waiting.get(question)?.(may)
      waiting.delete(question)
    },
  }
}

/** Sends contents one after the other, because the pieces of two contents must not mix. */
export function contentsTo(channel: Channel<ToNear>, id: number): ServedCall['content'] {
  let last: Promise<unknown> = Promise.resolve()
  return (bytes) => {
    const sent = last.then(() => {
      channel.send({ kind: 'content', id, bytes: bytes.length })
      return channel.sendAll({ kind: 'piece', id }, bytes)
    })
    last = sent
    return sent
  }
}
