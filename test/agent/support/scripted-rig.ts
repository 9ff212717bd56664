import type { ModelRequest, ProviderFailure } from '../../../main/agent/ports/provider.ts'
import type { Session } from '../../../main/agent/session.ts'
import type { DurableEvent } from '../../../shared/session/events.ts'
import { call, type message } from '../../support/scripted-model.ts'
import { openRig, type Rig, type RigOptions } from './rig.ts'
import { type ProviderAnswer, type ProviderScript, scriptedProvider } from './scripted-provider.ts'

export const read = (path: string) => call('read_file', { file_path: path })
export const write = (path: string, content: string) => call('write_file', { file_path: path, content })
export const edit = (path: string, from: string, to: string) => call('edit_file', { file_path: path, old_string: from, new_string: to })
export const shell = (command: string) => call('shell', { command })

export interface Scripted {
  readonly provider: ReturnType<typeof scriptedProvider>
  readonly rig: Rig
}

export async function rigFor(script: ProviderScript, options: RigOptions = {}): Promise<Scripted> {
  const provider = scriptedProvider(script)
  return { provider, rig: await openRig(provider, options) }
}

/** Returns the kind of each turn of a request, and its content if that is a string (otherwise an empty string). */
export function said({ provider }: Pick<Scripted, 'provider'>, index: number): readonly (readonly [string, string])[] | undefined {
  return provider.requests[index]?.turns.map((turn) => [
    turn.kind,
    'content' in turn && typeof turn.content === 'string' ? turn.content : '',
  ])
}

/** Returns the outcome and the text of each result at the end of a request. */
export function resultsOf(request: ModelRequest | undefined): readonly (readonly ['ok' | 'error', unknown])[] {
  const last = request?.turns.at(-1)
  return last?.kind === 'tool_results' ? last.results.map(({ output, isError }) => [isError ? 'error' : 'ok', output]) : []
}

/** Resolves when the session emits the next event of this kind. */
export async function heard(session: Session, kind: string): Promise<void> {
  let found = false
  const subscription = session.record.subscribe(({ event }) => (found ||= event.kind === kind))
  await session.record.until(() => found || null, new AbortController().signal)
  subscription.dispose()
}

export function failing(failure: Partial<ProviderFailure>, ...blocks: Parameters<typeof message>[0]): ProviderAnswer {
  return { kind: 'failure', failure, blocks }
}

export const tail = (rig: Rig, count: number): readonly DurableEvent[] => rig.events().slice(-count)
export const only = <K extends DurableEvent['kind']>(rig: Rig, kind: K) =>
  rig.events().filter((event): event is Extract<DurableEvent, { kind: K }> => event.kind === kind)
/** Returns the id and the outcome of each call that has ended. */
export const ends = (rig: Rig) => only(rig, 'TOOL_CALL_END').map(({ toolCallId, outcome }) => [toolCallId, outcome])
