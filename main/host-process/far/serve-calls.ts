import { assertNever } from '../../../shared/lib/assert-never.ts'
import type { FolderComparison } from '../../agent/ports/folder-comparison.ts'
import { codeOf } from '../../environment/environment-failure.ts'
import type { LocalExecutionEnvironment } from '../../environment/local-environment.ts'
import type { Channel } from '../wire/channel.ts'
import { ProtocolError } from '../wire/frames.ts'
import type { FarRequest, ToNear } from '../wire/messages.ts'
import { type Method, METHODS } from '../wire/methods.ts'
import { type ServedCommand, serveCommand } from './serve-command.ts'
import { type ServedProgram, serveProgram } from './serve-program.ts'
import { servedMethods } from './served-methods.ts'

interface OpenCall {
  readonly abort: AbortController
  command: ServedCommand | null
  program: ServedProgram | null
}

/** Answers the near side’s messages. Throws a `ProtocolError` for one that makes no sense. */
export function serveCalls(
  env: LocalExecutionEnvironment,
  comparison: FolderComparison,
  channel: Channel<ToNear>,
): (message: FarRequest, bytes: Buffer) => void {
  const open = new Map<number, OpenCall>()
  const pieces = new Map<number, Buffer[]>()
  const methods = servedMethods(env, comparison, (id) => channel.send({ kind: 'shell-ended', id }))

  const keep = (id: number, bytes: Buffer): void => {
    const held = pieces.get(id) ?? []
    held.push(bytes)
    pieces.set(id, held)
  }
  const run = async (method: Method, args: unknown, id: number, call: OpenCall): Promise<unknown> => {
    const bytes = Buffer.concat(pieces.get(id) ?? [])
    pieces.delete(id)
    // The table pairs each method with its own schema, which the compiler cannot follow through a union of methods.
    const serve = methods[method] as (args: unknown, call: object) => Promise<unknown>
    return serve(args, {
      id,
      bytes,
      signal: call.abort.signal,
      answer: (piece: Uint8Array) => channel.sendAll({ kind: 'piece', id }, piece),
      command(wants: Parameters<typeof serveCommand>[0]) {
        call.command = serveCommand(wants, call.abort.signal, (event, raw) => channel.send({ kind: 'event', id, event }, raw))
        return call.command
      },
      program(opened: Parameters<typeof serveProgram>[0]) {
        call.program = serveProgram(opened, (event, raw) => channel.send({ kind: 'program', id, event }, raw))
        return call.program.finished
      },
    })
  }
  const begin = ({ id, method, args, isAborted }: Extract<FarRequest, { kind: 'call' }>): void => {
    const parsed = METHODS[method].args.safeParse(args)
    if (!parsed.success || open.has(id)) throw new ProtocolError(`A call of ${method} was not valid.`)
    const call: OpenCall = { abort: new AbortController(), command: null, program: null }
    open.set(id, call)
    if (isAborted) call.abort.abort()
    void answer(method, parsed.data, id, call)
  }
  const answer = async (method: Method, args: unknown, id: number, call: OpenCall): Promise<void> => {
    try {
      channel.send({ kind: 'done', id, value: await run(method, args, id, call) })
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
        return env.holdLimits(message.waits)
      case 'processed':
        return open.get(message.id)?.command?.credit.processed(message.count)
      case 'input':
        return open.get(message.id)?.program?.input(bytes)
      case 'input-end':
        return open.get(message.id)?.program?.endInput()
      case 'read':
        return open.get(message.id)?.program?.read(message.stream, message.count)
      case 'type':
        return open.get(message.id)?.command?.terminal()?.write(message.data)
      case 'resize':
        return open.get(message.id)?.command?.terminal()?.resize(message.size.columns, message.size.rows)
      default:
        return assertNever(message)
    }
  }
}
