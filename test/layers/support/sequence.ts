import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { bringIn, openBringIn } from '../../../main/layers/bring-in-session.ts'
import { movedFolder, takeOver } from '../../../main/layers/take-over.ts'
import type { OpenedSession } from '../../../main/sessions/opened-session.ts'
import type { CallItem } from '../../../shared/session/state.ts'
import type { ScriptedAnswer } from '../../../main/providers/rehearsal/scripted-answer.ts'
import { call, calls, say } from '../../support/scripted-model.ts'
import { openFamily } from '../../subagents/support/family.ts'

/** A step of a session beside a folder, or of the user. A file has two lines of the agent and two of the user, and nobody else changes these. */
export type Step =
  | { readonly kind: 'agent edits' | 'user edits'; readonly file: number; readonly slot: number }
  | { readonly kind: 'agent makes' | 'agent deletes' | 'user makes'; readonly file: number }
  | { readonly kind: 'sign'; /** For each path that is asked for, in order, whether it is left out. */ readonly leave: readonly boolean[] }
  | { readonly kind: 'refuse' | 'undo' | 'take over' | 'restart' }

const FILES = ['f0.txt', 'f1.txt', 'f2.txt']
const AGENT_LINES = [1, 5]
const USER_LINES = [3, 7]
const LINES = 9

/** The text of each path. */
type Texts = Map<string, string>

const lineSet = (text: string, index: number, line: string): string => text.split('\n').with(index, line).join('\n')

/** The text of `lines` with the agent's lines taken from `agents`. */
const withAgentLines = (lines: string, agents: string): string =>
  AGENT_LINES.reduce((text, index) => lineSet(text, index, agents.split('\n')[index] ?? ''), lines)

const isShared = (path: string): boolean => FILES.includes(path)

/** Opens a session beside a new folder, and follows what its folder and its layer must contain. Each step checks both. */
export async function openSequence() {
  let answers: ScriptedAnswer[] = []
  const initial = new Map(FILES.map((path) => [path, `${Array.from({ length: LINES }, (_, n) => `${path} ${n}`).join('\n')}\n`]))
  let family = await openFamily(() => answers.shift() ?? say('Done.'), {
    mode: 'ask',
    where: { kind: 'beside' },
    watched: true,
    prepare: ({ folder }) => initial.forEach((text, path) => writeFileSync(join(folder, path), text)),
  })
  const { folder } = family
  const inFolder: Texts = new Map(initial)
  /** What the agent has made of its files and its lines. The user's lines in it may be old. */
  const ofAgent: Texts = new Map(initial)
  /** What the folder had before each step that was signed and not undone. */
  const signedSteps: { readonly step: number; readonly before: Texts }[] = []
  let count = 0

  const agent = async (...calling: readonly ScriptedAnswer[]): Promise<void> => {
    answers = [...calling]
    await family.ask()
  }
  const command = (line: string): ScriptedAnswer => calls(call('shell', { command: line }))
  /** The paths that the session has changed and nobody has signed yet. */
  const unsigned = (): readonly string[] =>
    [...new Set([...inFolder.keys(), ...ofAgent.keys()])]
      .filter((path) => !path.startsWith('u'))
      .filter((path) => {
        const own = ofAgent.get(path)
        const now = inFolder.get(path)
        return isShared(path) && own !== undefined && now !== undefined ? withAgentLines(now, own) !== now : own !== now
      })
      .toSorted()
  const checkFolder = (): void => {
    const seen = new Map(readdirSync(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(inFolder))
  }
  const checkLayer = async (): Promise<void> => {
    const opened = await family.app.workspaces.openLayer(folder, family.parent.sessionId)
    if (!opened.ok) throw new Error(opened.failure.what)
    const { environment, close } = opened.value
    for (const path of new Set([...inFolder.keys(), ...ofAgent.keys()])) {
      const now = inFolder.get(path)
      const own = ofAgent.get(path)
      const expected = path.startsWith('u') ? now : isShared(path) && own && now ? withAgentLines(now, own) : own
      const bytes = await environment.readBytes(join(folder, path)).catch(() => null)
      expect([path, bytes && Buffer.from(bytes).toString('utf8')]).toEqual([path, expected ?? null])
    }
    await close()
  }
  const broughtIn = async (): Promise<{ readonly session: OpenedSession; readonly waiting: CallItem | null }> => {
    const asked = await bringIn(family.app, family.parent.sessionId, AbortSignal.timeout(60_000))
    if (!asked.ok) throw new Error(asked.failure.what)
    const { session } = asked.value
    return { session, waiting: waitingCall(session) }
  }
  const asksFor = async (): Promise<readonly string[]> => {
    const { session, waiting } = await broughtIn()
    if (waiting) await session.stop()
    return waiting ? paths(waiting) : []
  }
  /** Answers the request, and returns the number of its step. Null if nothing was asked. */
  const settle = async (answerOf: (waiting: CallItem) => Parameters<OpenedSession['answer']>[0]['answer']): Promise<number | null> => {
    const { session, waiting } = await broughtIn()
    expect(waiting ? paths(waiting) : []).toEqual(unsigned())
    if (!waiting?.approval) return null
    const { approvalId, hash } = waiting.approval
    const outcome = await session.answer({ approvalId, hash, answer: answerOf(waiting), from: 'terminal' })
    expect(outcome).toMatchObject({ kind: 'accepted' })
    await session.running()?.idle()
    return waiting.step
  }
  const apply = (path: string): void => {
    const own = ofAgent.get(path)
    const now = inFolder.get(path)
    if (own === undefined) inFolder.delete(path)
    else inFolder.set(path, isShared(path) && now !== undefined ? withAgentLines(now, own) : own)
  }

  const restore = (path: string, before: string | undefined): void => {
    const now = inFolder.get(path)
    if (path.startsWith('u')) return
    if (before === undefined) inFolder.delete(path)
    else inFolder.set(path, isShared(path) && now !== undefined ? withAgentLines(now, before) : before)
  }
  const undoStep = async (step: number): Promise<void> => {
    const opened = await openBringIn(family.app, family.parent.sessionId)
    if (!opened.ok) throw new Error(opened.failure.what)
    const { session } = opened.value
    const target = { kind: 'step', step } as const
    const preview = await session.previewUndo(target)
    if (!preview.ok) throw new Error(preview.failure.what)
    const outcome = await session.undo({ target, plan: preview.value.plan, anyway: [], choices: [] })
    expect(outcome).toMatchObject({ kind: 'done', rollback: { skipped: [] } })
  }

  return {
    asksFor,
    async take(step: Step): Promise<void> {
      count += 1
      switch (step.kind) {
        case 'agent edits': {
          const path = FILES[step.file] ?? ''
          const index = AGENT_LINES[step.slot] ?? 0
          const old = ofAgent.get(path)?.split('\n')[index] ?? ''
          const text = `agent ${count}`
          if (count % 2 === 0) await agent(command(`sed -i '${index + 1}s/.*/${text}/' ${path}`))
          else
            await agent(
              calls(call('read_file', { path })),
              calls(call('edit_file', { path, old_string: `${old}\n`, new_string: `${text}\n` })),
            )
          ofAgent.set(path, lineSet(ofAgent.get(path) ?? '', index, `agent ${count}`))
          break
        }
        case 'user edits': {
          const path = FILES[step.file] ?? ''
          inFolder.set(path, lineSet(inFolder.get(path) ?? '', USER_LINES[step.slot] ?? 0, `user ${count}`))
          writeFileSync(join(folder, path), inFolder.get(path) ?? '')
          break
        }
        case 'agent makes':
          await agent(command(`echo ${count} > n${step.file}.txt`))
          ofAgent.set(`n${step.file}.txt`, `${count}\n`)
          break
        case 'agent deletes':
          await agent(command(`rm -f n${step.file}.txt`))
          ofAgent.delete(`n${step.file}.txt`)
          break
        case 'user makes':
          inFolder.set(`u${step.file}.txt`, `${count}\n`)
          writeFileSync(join(folder, `u${step.file}.txt`), `${count}\n`)
          break
        case 'sign': {
          const asked = unsigned()
          const left = asked.filter((_, index) => step.leave[index] === true)
          const isAll = left.length === 0
          if (asked.length > 0 && left.length === asked.length) return this.take({ kind: 'refuse' })
          const signedAt = await settle(() => ({
            kind: 'sign',
            ...(isAll ? {} : { amendments: left.map((path) => ({ kind: 'leave' as const, path: join(folder, path) })) }),
          }))
          if (signedAt !== null) signedSteps.push({ step: signedAt, before: new Map(inFolder) })
          for (const path of asked) if (!left.includes(path)) apply(path)
          break
        }
        case 'refuse':
          await settle(() => ({ kind: 'refuse', note: null }))
          break
        case 'undo': {
          const last = signedSteps.pop()
          if (!last) return
          await undoStep(last.step)
          for (const path of new Set([...inFolder.keys(), ...last.before.keys()])) restore(path, last.before.get(path))
          break
        }
        case 'take over':
          expect(await takeOver(family.app, family.parent.sessionId)).toMatchObject({ ok: true })
          expect(await movedFolder(family.app, family.parent.sessionId)).toEqual({ files: [], alsoInLayer: 0 })
          await checkLayer()
          break
        case 'restart':
          await family.app.close()
          family = await family.again()
          break
      }
      checkFolder()
    },
    close: () => family.app.close(),
  }
}

const waitingCall = ({ record }: OpenedSession): CallItem | null =>
  record.state().items.flatMap((item) => (item.kind === 'call' && item.status === 'waiting' ? [item] : []))[0] ?? null

const paths = ({ effects }: CallItem): readonly string[] =>
  effects.flatMap((effect) => ('shown' in effect ? [effect.shown] : [])).toSorted()
