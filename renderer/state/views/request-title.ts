import { isSubagentCall } from '../../../shared/tools/built-in/subagents.ts'
import { type BroughtFrom, type BroughtFromAgent, type Effect, type TurnOfAgent, wantedHost } from '../../../shared/session/effects.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { touchedFiles } from '../../../shared/session/touched-files.ts'

/** The title of a request: a verb and its object. `path` is set if the object is one file. The title of a plan is only the noun. */
export interface RequestTitle {
  readonly verb: string
  readonly object: string
  readonly path: string | null
}

/** The title in one line: "Edit src/dates.ts", "Run npm test", "Create 2 files". */
export function titleOf(call: CallItem): string {
  const { verb, object } = requestTitle(call)
  return object === '' ? verb : `${verb} ${object}`
}

export function requestTitle(call: CallItem): RequestTitle {
  const copied = copiedCommand(call)
  const host = wantedHost(call.effects)
  if (host) return words('Let', `${copied} reach ${host.host}`)
  const from = broughtFrom(call)
  if (from?.agent) return { verb: 'Sign what', object: `${from.agent.name} changed${turnsWords(from.agent.turns)}`, path: null }
  if (from !== null) return { verb: 'Bring in what', object: `“${from.title}” changed in its layer`, path: null }
  if (copied !== null && isSubagentCall(call))
    return { verb: 'Sign what', object: `the ${copied.replace(/^subagent /u, '')} agent changed`, path: null }
  if (copied !== null) return { verb: 'Sign what', object: `${copied} changed`, path: null }
  const touched = touchedFiles(call.effects)
  const writes = touched.filter((effect) => effect.kind === 'write')
  const deletes = touched.filter((effect) => effect.kind === 'delete')
  const files = [...new Set([...writes, ...deletes].map((one) => one.shown))]
  const [path = null] = files
  if (path !== null && files.length === 1) return { verb: fileVerb(writes, deletes), object: path, path }
  if (path !== null) return words(fileVerb(writes, deletes), `${files.length} files`)
  if (call.effects.some((effect) => effect.kind === 'command')) return words('Run', titleCommand(call)?.line ?? 'a command')
  if (call.effects.some((effect) => effect.kind === 'network')) return words('Reach', 'the network')
  const read = call.effects.find((effect) => effect.kind === 'read')
  if (read) return words('Read', read.outside ? 'outside the folder' : read.shown)
  const review = call.effects.find((effect) => effect.kind === 'review')
  if (review) return words('Review', review.steps.map(({ title }) => title).join(', '))
  const question = call.effects.find((effect) => effect.kind === 'question')
  if (question) return words(question.from ? `Question from the MCP server ${question.from.server}` : 'Question', '')
  if (call.effects.some((effect) => effect.kind === 'mode')) return words('Plan', '')
  const tool = call.effects.find((effect) => effect.kind === 'unknown')?.tool
  const [, server, name] = /^mcp__(.+?)__(.+)$/u.exec(tool?.name ?? '') ?? []
  return name === undefined ? words('Use', call.toolName) : words('Call', `${name} of the MCP server ${server}`)
}

/** What the title says about the command besides its text. Null if there is nothing to say. */
export function commandNote({ effects, approval }: Pick<CallItem, 'effects' | 'approval'>): string | null {
  const command = effects.find((effect) => effect.kind === 'command')
  if (command === undefined || command.sandbox === 'copy') return null
  if (command.noCopy !== undefined) return 'cannot run in a copy'
  return approval?.destructive ? 'can delete data' : null
}

/** The first line of the command of this request, if the command ran or is running in a copy. Null for any other request. */
export function copiedCommand(call: Pick<CallItem, 'effects'>): string | null {
  const command = call.effects.find((effect) => effect.kind === 'command')
  return command?.sandbox === 'copy' ? (titleCommand(call)?.line ?? null) : null
}

/** The session beside the folder whose work this request brings in. Null for any other request. */
export function broughtFrom({ effects }: Pick<CallItem, 'effects'>): BroughtFrom | null {
  return effects.flatMap((effect) => (effect.kind === 'command' && effect.broughtFrom ? [effect.broughtFrom] : []))[0] ?? null
}

/** The third-party agent whose work this request brings in. Null for any other request. */
export const agentOf = (call: Pick<CallItem, 'effects'>): BroughtFromAgent | null => broughtFrom(call)?.agent ?? null

/** " in turn 3", " in turns 1 and 3", " in 5 turns". Empty if the turns are not known. */
function turnsWords(turns: readonly TurnOfAgent[]): string {
  const [first, ...others] = turns.map(({ turn }) => turn)
  if (first === undefined) return ''
  if (others.length === 0) return ` in turn ${first}`
  return others.length > 2 ? ` in ${turns.length} turns` : ` in turns ${[first, ...others.slice(0, -1)].join(', ')} and ${others.at(-1)}`
}

/** Maximum number of characters of a command in a title. */
const MAX_TITLE = 48

/** The command as the title shows it. `isWhole` is false if only its beginning is shown. Null without a command. */
export function titleCommand({ effects }: Pick<CallItem, 'effects'>): { readonly line: string; readonly isWhole: boolean } | null {
  const command = effects.find((effect) => effect.kind === 'command')
  if (command === undefined) return null
  const first = command.command.trim().split('\n', 1)[0] ?? ''
  const line = first.length > MAX_TITLE ? `${first.slice(0, MAX_TITLE)}…` : first
  // A title does not show spaces at the ends or repeated spaces, but they can be part of a file's name.
  return { line, isWhole: line === command.command && !/\s{2}|[^\S ]/u.test(line) }
}

function fileVerb(writes: readonly Extract<Effect, { kind: 'write' }>[], deletes: readonly Effect[]): string {
  if (writes.length === 0) return 'Delete'
  if (deletes.length === 0 && writes.every((write) => write.movedFrom)) return 'Move'
  if (deletes.length > 0 || writes.some((write) => write.movedFrom)) return 'Change'
  return writes.every((write) => write.before === null) ? 'Create' : 'Edit'
}

const words = (verb: string, object: string): RequestTitle => ({ verb, object, path: null })
