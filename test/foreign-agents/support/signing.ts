import { expect } from 'vitest'
import { bringIn } from '../../../main/layers/bring-in-session.ts'
import type { OpenedSession } from '../../../main/sessions/opened-session.ts'
import type { Amendment } from '../../../shared/session/amendment.ts'
import type { Effect } from '../../../shared/session/effects.ts'
import { type AgentPlace, eventsOf, send } from './agent-place.ts'

const LINES = Array.from({ length: 12 }, (_, at) => `line ${at + 1}`)
/** A text of twelve lines, some of which are different. */
export const withLines = (changed: Readonly<Record<number, string>>): string =>
  `${LINES.map((line, at) => changed[at + 1] ?? line).join('\n')}\n`

/** Asks the user to sign what the agent has changed. */
export async function asked({ app }: AgentPlace, { sessionId }: OpenedSession) {
  const opened = await bringIn(app, sessionId, AbortSignal.timeout(60_000))
  if (!opened.ok) throw new Error(opened.failure.what)
  const request = eventsOf(opened.value.session, 'APPROVAL_REQUESTED').at(-1)
  if (!request || !opened.value.asks) throw new Error('Nothing asks for a signature.')
  return { signing: opened.value.session, request }
}

export async function answer(
  place: AgentPlace,
  session: OpenedSession,
  note: string | null | readonly Amendment[],
): Promise<OpenedSession> {
  const { signing, request } = await asked(place, session)
  const given =
    typeof note === 'string' || note === null ? ({ kind: 'refuse', note } as const) : ({ kind: 'sign', amendments: note } as const)
  expect(await signing.answer({ ...request, answer: given, from: 'terminal' })).toMatchObject({ kind: 'accepted' })
  await signing.running()?.idle()
  return signing
}

/** The output of a command that the agent runs in its layer. */
export async function seenBy(session: OpenedSession, command: string): Promise<string> {
  await send(session, [{ run: command }])
  return eventsOf(session, 'TOOL_CALL_END').at(-1)?.output ?? ''
}

/** The numbers of the turns that a request names. */
export function turnsIn({ effects }: { readonly effects: readonly Effect[] }): readonly number[] {
  return effects.flatMap((effect) => (effect.kind === 'command' ? (effect.broughtFrom?.agent?.turns.map(({ turn }) => turn) ?? []) : []))
}
