import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { bringIn } from '../../../main/layers/bring-in-session.ts'
import type { OpenedSession } from '../../../main/sessions/opened-session.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import { type Asked, type Family, type FamilyOptions, openFamily } from '../../subagents/support/family.ts'
import { call, calls, say } from '../../support/scripted-model.ts'

export const LINES = Array.from({ length: 9 }, (_, n) => `line ${n + 1}`)
export const withLine = (number: number, text: string, from: readonly string[] = LINES): string =>
  `${from.with(number - 1, text).join('\n')}\n`
export const TEXT = `${LINES.join('\n')}\n`

const files = ({ folder }: { readonly folder: string }): void => {
  writeFileSync(join(folder, 'a.txt'), TEXT)
  writeFileSync(join(folder, 'b.txt'), 'b\n')
}
export const run = (command: string) => calls(call('shell', { command }))
/** One command, then an answer. */
export const once =
  (command: string) =>
  ({ round }: Asked) =>
    round === 0 ? run(command) : say('Finished.')

export const beside = (
  script: Parameters<typeof openFamily>[0],
  prepare: FamilyOptions['prepare'] = () => {},
  mode: FamilyOptions['mode'] = 'ask',
): Promise<Family> =>
  openFamily(script, {
    mode,
    where: { kind: 'beside' },
    watched: true,
    prepare(places) {
      files(places)
      prepare(places)
    },
  })

export const text = ({ folder }: Family, name: string): string => readFileSync(join(folder, name), 'utf8')

export async function broughtIn(family: Family): Promise<OpenedSession> {
  const { app, parent } = family
  const asked = await bringIn(app, parent.sessionId, AbortSignal.timeout(60_000))
  if (!asked.ok) throw new Error(asked.failure.what)
  return asked.value.session
}

export async function request({ record }: OpenedSession): Promise<CallItem & { readonly approval: NonNullable<CallItem['approval']> }> {
  const open = await record.until(
    () => record.state().items.flatMap((item) => (item.kind === 'call' && item.status === 'waiting' ? [item] : []))[0] ?? null,
    AbortSignal.timeout(60_000),
  )
  if (!open.approval) throw new Error('Nothing waits for a signature.')
  return { ...open, approval: open.approval }
}

export async function answer(
  session: OpenedSession,
  given: { readonly kind: 'sign' } | { readonly kind: 'refuse'; readonly note: null },
): Promise<void> {
  const { approvalId, hash } = (await request(session)).approval
  expect(await session.answer({ approvalId, hash, answer: given, from: 'terminal' })).toMatchObject({ kind: 'accepted' })
  await session.running()?.idle()
}

export const changedPaths = ({ effects }: CallItem): readonly string[] =>
  effects.flatMap((effect) => ('shown' in effect ? [effect.shown] : []))

export const conflictsOf = ({ effects }: CallItem) =>
  effects.flatMap((effect) => (effect.kind === 'write' && effect.conflict ? effect.conflict.regions : []))
