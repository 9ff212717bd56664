import { SessionId } from '../../../shared/lib/ids.ts'
import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { sizeOnDisk } from '../../../shared/lib/short-count.ts'
import type { App } from '../../compose/app.ts'
import type { StoredLayer } from '../../compose/stored-session-parts.ts'
import { confirmed } from '../asking/terminal-lines.ts'
import { complain, failWith } from '../report/standard-output.ts'
import { visibleLine } from '../report/visible-text.ts'
import type { CommandPlace, CommandValues, CommandWork } from './command.ts'

export function layersCommand(words: readonly string[], { json = false, yes = false }: CommandValues): Result<CommandWork, string> {
  const [verb, id, ...rest] = words
  if (verb === 'list' && id === undefined) return ok(({ withApp, write }) => withApp((app) => listed(app, json, write)))
  const sessionId = SessionId.safeParse(id)
  if (verb !== 'drop' || !sessionId.success || rest.length > 0) return failed('Use layers list, or layers drop SESSION_ID.')
  return ok(({ withApp, write }) => withApp((app) => dropped(app, sessionId.data, { yes, write })))
}

type Write = CommandPlace['write']

async function listed({ layers }: App, json: boolean, write: Write): Promise<number> {
  const { layers: onDisk, binned } = await layers.stored()
  if (json) {
    const rows = onDisk.map(({ sessionId, session, bytes }) => ({
      sessionId,
      title: session?.title ?? null,
      folder: session?.folder ?? null,
      isSubagent: session !== null && session.parent !== null,
      bytes,
    }))
    write(`${JSON.stringify({ layers: rows, bin: binned })}\n`)
    return 0
  }
  const rows = [
    ...onDisk.map((one) => `${one.sessionId}  ${sizeOnDisk(one.bytes).padStart(10)}  ${ownerOf(one)}`),
    ...binned.map(
      ({ sessionId, bytes, title, files }) =>
        `${sessionId}  ${sizeOnDisk(bytes).padStart(10)}  in the bin: “${visibleLine(title)}”, its files are in ${visibleLine(files)}`,
    ),
  ]
  write(rows.length === 0 ? 'There are no layers.\n' : `${rows.join('\n')}\n`)
  return 0
}

function ownerOf({ session }: StoredLayer): string {
  if (session === null) return 'its session is not stored'
  const who = session.parent === null ? `“${visibleLine(session.title || 'New session')}”` : `the ${session.parent.agentType} agent`
  return `${who} beside ${visibleLine(session.folder)}`
}

interface Drop {
  readonly yes: boolean
  readonly write: Write
}

async function dropped({ layers, store }: App, sessionId: SessionId, { yes, write }: Drop): Promise<number> {
  const { layers: onDisk, binned } = await layers.stored()
  const layer = onDisk.find((one) => one.sessionId === sessionId)
  const inBin = binned.find((one) => one.sessionId === sessionId)
  if (!layer && !inBin) return failWith(noLayer(sessionId))
  const what = layer ? `the layer of ${ownerOf(layer)}` : `what “${visibleLine(inBin?.title ?? '')}” had left in its layer`
  if (!yes && !(await confirmed(`Remove ${what}? What was not brought in is lost. y or n: `))) {
    complain('Nothing was removed.\n')
    return 1
  }
  if (layer) {
    const claimed = store.claims.acquire(sessionId)
    if (!claimed.ok) return failWith(claimed.failure)
    try {
      await layers.remove(sessionId)
    } finally {
      store.claims.release(sessionId)
    }
  } else await layers.bin.drop(sessionId)
  write(`Removed ${what}.\n`)
  return 0
}

const noLayer = (sessionId: SessionId) => ({
  code: 'no_layer',
  what: `There is no layer of ${sessionId}.`,
  kept: 'All layers are unchanged.',
  todo: 'List them with: layers list',
})
