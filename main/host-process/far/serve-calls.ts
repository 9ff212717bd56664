import { assertNever } from '../../../shared/lib/assert-never.ts'
import { codeOf, EnvironmentFailure } from '../../environment/environment-failure.ts'
import type { SessionId } from '../../../shared/lib/ids.ts'
import type { Channel } from '../wire/channel.ts'
import { ProtocolError } from '../wire/frames.ts'
import type { FarRequest, ToNear } from '../wire/messages.ts'
import { type Method, METHODS } from '../wire/methods.ts'
import { askNear, contentsTo, note } from './notes-and-questions.ts'
import type { ServedFolder } from './open-folder.ts'
import type { ServedCall, ServedMethods, ServedObjects } from './served-call.ts'
import { type ServedCommand, serveCommand } from './serve-command.ts'
import { type ServedProgram, serveProgram } from './serve-program.ts'
import { servedMethods } from './served-methods.ts'
import type { Site } from '../site.ts'

interface OpenCall {
  readonly abort: AbortController
  command: ServedCommand | null
  program: ServedProgram | null
  /** Resolves when the call has been answered. */
  answered: Promise<void>
}

/** Answers the near side’s messages. Throws a `ProtocolError` for one that makes no sense. */
export function serveCalls(folder: ServedFolder, channel: Channel<ToNear>): (message: FarRequest, bytes: Buffer) => void {
  const open = new Map<number, OpenCall>()
  const pieces = new Map<number, Buffer[]>()
  const objects: ServedObjects = { copies: new Map(), confined: new Map(), suspected: new Map(), begun: new Map() }
  const asks = askNear(channel)
  const layers = new Map<number, SessionId>()
  const sites = new Map<number, ServedMethods>()
  const { contents, deny } = folder
  const serve = (id: number, site: Site): void => {
    const serveLayer = (opened: number, sessionId: SessionId, layer: Site): void => {
      layers.set(opened, sessionId)
      serve(opened, layer)
    }
    const onShellEnd = (shell: number): void => channel.send({ kind: 'shell-ended', id: shell })
    sites.set(id, servedMethods({ ...site, objects, contents, deny, serve: serveLayer, onShellEnd }))
  }
  serve(0, folder)

  const keep = (id: number, bytes: Buffer): void => {
    const held = pieces.get(id) ?? []
    held.push(bytes)
    pieces.set(id, held)
  }
  const run = async (method: Method, on: number, args: unknown, id: number, call: OpenCall): Promise<unknown> => {
    const bytes = Buffer.concat(pieces.get(id) ?? [])
    pieces.delete(id)
    const methods = sites.get(on)
    if (!methods) throw new EnvironmentFailure('EINVAL', 'This layer is not open (EINVAL).')
    // The table pairs each method with its own schema, which the compiler cannot follow through a union of methods.
    const served = methods[method] as (args: unknown, call: ServedCall) => Promise<unknown>
    return served(args, {
      id,
      bytes,
      signal: call.abort.signal,
      answer: (piece) => channel.sendAll({ kind: 'piece', id }, piece),
      content: contentsTo(channel, id),
      onHost: (host) => asks.host(id, host),
      command(wants) {
        call.command = serveCommand(wants, call.abort.signal, (event, raw) => channel.send({ kind: 'event', id, event }, raw))
        return call.command
      },
      program(opened) {
        call.program = serveProgram(opened, (event, raw) => channel.send({ kind: 'program', id, event }, raw))
        return call.program.finished
      },
    })
  }
  const begin = ({ id, on, method, args, isAborted, after = [] }: Extract<FarRequest, { kind: 'call' }>): void => {
    const parsed = METHODS[method].args.safeParse(args)
    if (!parsed.success || open.has(id)) throw new ProtocolError(`A call of ${method} was not valid.`)
    const call: OpenCall = { abort: new AbortController(), command: null, program: null, answered: Promise.resolve() }
    open.set(id, call)
    if (isAborted) call.abort.abort()
    const earlier = after.flatMap((one) => open.get(one)?.answered ?? [])
    const run = (): Promise<void> => answer(method, on, parsed.data, id, call)
    call.answered = earlier.length === 0 ? run() : Promise.all(earlier).then(run)
  }
  const answer = async (method: Method, on: number, args: unknown, id: number, call: OpenCall): Promise<void> => {
    try {
      channel.send({ kind: 'done', id, value: await run(method, on, args, id, call) })
    } catch (error) {
      channel.send({ kind: 'failed', id, code: codeOf(error), message: error instanceof Error ? error.message : String(error) })
    } finally {
      call.command?.credit.close()
      open.delete(id)
    }
  }
  return (message, bytes) => {
    switch (message.kind) {
      case 'call':
        return begin(message)
      case 'piece':
        return keep(message.id, bytes)
      case 'abort':
        return open.get(message.id)?.abort.abort()
      case 'hold':
        return folder.environment.holdLimits(message.waits)
      case 'processed':
      case 'input':
      case 'input-end':
      case 'read':
      case 'type':
      case 'resize':
        return toProgram(message, bytes, open.get(message.id))
      case 'may':
        return asks.answered(message.question, message.may)
      case 'denied': {
        const sessionId = layers.get(message.id)
        return sessionId && deny(sessionId, message.patterns)
      }
      case 'sign':
      case 'suspect':
      case 'unsuspect':
      case 'decided':
        return note(message, folder, objects)
      default:
        return assertNever(message)
    }
  }
}

type ForProgram = Extract<FarRequest, { kind: 'processed' | 'input' | 'input-end' | 'read' | 'type' | 'resize' }>

/** Passes a message to the command or program of a call. Does nothing if it has ended. */
function toProgram(message: ForProgram, bytes: Buffer, call: OpenCall | undefined): void {
  switch (message.kind) {
    case 'processed':
      return call?.command?.credit.processed(message.count)
    case 'input':
      return call?.program?.input(bytes)
    case 'input-end':
      return call?.program?.endInput()
    case 'read':
      return call?.program?.read(message.stream, message.count)
    case 'type':
      return call?.command?.terminal()?.write(message.data)
    case 'resize':
      return call?.command?.terminal()?.resize(message.size.columns, message.size.rows)
    default:
      return assertNever(message)
  }
}
