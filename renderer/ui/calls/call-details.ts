import { NO_TIME_LIMIT_MS } from '../../../shared/session/effects.ts'
import type { JsonValue } from '../../../shared/session/content.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import type { BashOutputDetails } from '../../../shared/tools/background.ts'
import type { GlobDetails } from '../../../shared/tools/glob.ts'
import type { GrepDetails } from '../../../shared/tools/grep.ts'
import type { ListDirDetails } from '../../../shared/tools/list-dir.ts'
import type { ReadManyDetails } from '../../../shared/tools/read-file.ts'
import type { ShellDetails } from '../../../shared/tools/shell.ts'
import type { WebFetchDetails } from '../../../shared/tools/web-fetch.ts'
import type { WebSearchDetails } from '../../../shared/tools/web-search.ts'

/** What a tool tells the screen of a call that has ended; null before, and of another tool. */

export const shellDetails = (call: CallItem): ShellDetails | null =>
  runsCommand(call) ? (having(call, 'exitCode') as unknown as ShellDetails | null) : null

export const grepDetails = (call: CallItem): GrepDetails | null =>
  call.toolName === 'grep' ? (having(call, 'hits') as unknown as GrepDetails | null) : null

export const globDetails = (call: CallItem): GlobDetails | null => having(call, 'paths') as unknown as GlobDetails | null

export const bashOutputDetails = (call: CallItem): BashOutputDetails | null =>
  call.toolName === 'bash_output' ? (having(call, 'running') as unknown as BashOutputDetails | null) : null

export const listDirDetails = (call: CallItem): ListDirDetails | null => having(call, 'entries') as unknown as ListDirDetails | null

export const readManyDetails = (call: CallItem): ReadManyDetails | null => having(call, 'read') as unknown as ReadManyDetails | null

export const webFetchDetails = (call: CallItem): WebFetchDetails | null =>
  call.toolName === 'web_fetch' ? (having(call, 'status') as unknown as WebFetchDetails | null) : null

export const webSearchDetails = (call: CallItem): WebSearchDetails | null =>
  call.toolName === 'web_search' ? (having(call, 'hits') as unknown as WebSearchDetails | null) : null

/** A step that runs a command line, with a terminal of its own where there is one. */
export const runsCommand = ({ toolName, args }: Pick<CallItem, 'toolName' | 'args'>): boolean =>
  toolName === 'shell' || toolName === 'bash' || (toolName === 'bash_output' && typeof args?.['command'] === 'string')

/** How long a command may run, in ms; null: it is no command, or runs until it is ended. */
export function timeLimitOf({ effects }: Pick<CallItem, 'effects'>): number | null {
  const limit = effects.find((effect) => effect.kind === 'command')?.timeoutMs ?? null
  return limit !== null && limit >= NO_TIME_LIMIT_MS ? null : limit
}

/** The name of a command that runs on beyond its call, such as `bg_1`; null: it ended with it. */
export const backgroundOf = (call: CallItem): string | null => shellDetails(call)?.background ?? null

/** The person stopped it, or the subagent that it is about: a wish, and no failure. */
export const wasStopped = (call: CallItem): boolean => call.status === 'stopped' || having(call, 'agentId')?.['status'] === 'stopped'

function having({ details }: CallItem, name: string): { readonly [key: string]: JsonValue } | null {
  const isRecord = typeof details === 'object' && details !== null && !Array.isArray(details)
  return isRecord && name in details ? (details as { readonly [key: string]: JsonValue }) : null
}
