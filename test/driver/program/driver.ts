import { resolve } from 'node:path'
import type { ModelContent } from '../../../shared/session/content.ts'
import { dispatchToolCalls } from '../../../main/embed/dispatch-without-session.ts'
import type { DriverFolders } from './folders.ts'
import { FOLDER_OPS, type FolderOp, OPS } from './ops.ts'
import { type DriverAnswer, type DriverRequest, parseRequest, refusal } from './request.ts'

/** Answers one line of input. Never rejects: every failure is an answer with `ok: false`. */
export type Driver = (line: string) => Promise<DriverAnswer>

export function createDriver(folders: DriverFolders, signal: AbortSignal): Driver {
  return async (line) => {
    const request = parseRequest(line)
    if (!request.ok) return request.failure
    const { id, op } = request.value
    try {
      const own = Object.hasOwn(OPS, op) ? OPS[op] : undefined
      if (own) return { id, ok: true, output: await own(request.value.args, request.value.cwd) }
      const inFolder = Object.hasOwn(FOLDER_OPS, op) ? FOLDER_OPS[op] : undefined
      return inFolder ? await runInFolder(request.value, inFolder, folders, signal) : await callTool(request.value, folders)
    } catch (error) {
      return refusal(id, error instanceof Error ? error.message : String(error))
    }
  }
}

async function runInFolder(
  { id, cwd, args, op }: DriverRequest,
  run: FolderOp,
  folders: DriverFolders,
  signal: AbortSignal,
): Promise<DriverAnswer> {
  if (cwd === null) return refusal(id, `${op} needs a folder: give one as cwd.`)
  const folder = await folders.open(resolve(cwd))
  if (!folder.ok) return refusal(id, folder.failure)
  const { path, inTurn } = folder.value
  return { id, ok: true, output: await inTurn(() => run(args, path, signal)) }
}

async function callTool({ id, op, cwd, args }: DriverRequest, folders: DriverFolders): Promise<DriverAnswer> {
  if (cwd === null)
    return refusal(id, `If ${op} is a tool, it needs a folder: pass the folder as cwd. Ops: ${Object.keys(OPS).join(', ')}.`)
  const folder = await folders.open(resolve(cwd))
  if (!folder.ok) return refusal(id, folder.failure)
  const { registry, environment, options, inTurn } = folder.value
  const call = { toolCallId: String(id), toolName: op, args }
  const [result] = await inTurn(() => dispatchToolCalls([call], registry, environment, false, options))
  if (!result) return refusal(id, 'The call had no result.')
  return result.isError ? refusal(id, wordsOf(result.output)) : { id, ok: true, output: result.output }
}

function wordsOf(output: ModelContent): string {
  return typeof output === 'string' ? output : output.map((part) => (part.kind === 'text' ? part.text : `[${part.kind}]`)).join('\n')
}
