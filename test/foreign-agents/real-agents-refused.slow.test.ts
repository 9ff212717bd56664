import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bringIn } from '../../main/layers/bring-in-session.ts'
import type { OpenedSession } from '../../main/sessions/opened-session.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say, startScriptedModel, type ScriptedModel } from '../support/scripted-model.ts'
import { changesByStep, eventsOf, send, startWith } from './support/agent-place.ts'
import { installedAgent, openWith, REAL_AGENTS, type RealAgent } from './support/real-agents.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const OLD = 'content-before'
const NEW = 'content-of-the-agent'
/** Some agents refuse to run `sleep`. */
const SLEEP = 'tail -s 3.215 -f /dev/null'

for (const agent of REAL_AGENTS) {
  const file = installedAgent(agent)
  test.skipIf(file === null || hasNoCopies)(
    `${agent.id}: an edit, a cancelled command, an undo and a refusal; the agent sees what is left and is told, and no process of it is left`,
    { timeout: 400_000 },
    async () => {
      const project = temporaryFolder('project')
      await writeFile(join(project, 'edit.txt'), `${OLD}\n`)
      const model = await scriptedFor(agent, project)
      const { app, home } = await openWith(agent, file ?? '', { project, url: model.url })
      const session = await startWith(app, project, agent.id)
      await send(session, 'PHASE-EDIT')
      expect(eventsOf(session, 'ERROR')).toEqual([])
      expect(changesByStep(session).map(([, files]) => files)).toEqual([['~edit.txt']])

      session.running()?.submit('PHASE-SLEEP')
      await expect.poll(() => processesWith('cmdline', SLEEP), { timeout: 120_000 }).not.toEqual([])
      await session.stop()
      expect(eventsOf(session, 'PROCESSING_END').at(-1)).toMatchObject({ reason: 'stopped' })
      await expect.poll(() => processesWith('cmdline', SLEEP), { timeout: 30_000 }).toEqual([])

      await send(session, 'PHASE-WRITE')
      expect(changesByStep(session).map(([, files]) => files)).toEqual([['~edit.txt'], ['+new.txt']])
      await undoEdit(session)
      await send(session, 'PHASE-CAT')
      expect(toldIn(model, 'PHASE-CAT')).toContain(OLD.toUpperCase())
      expect(toldIn(model, 'PHASE-CAT')).not.toContain(NEW.toUpperCase())
      expect(toldIn(model, 'PHASE-CAT')).toContain('The user undid step')

      await refuseAll(app, session, 'NOT-LIKE-THIS')
      await send(session, 'PHASE-LIST')
      expect(toldIn(model, 'PHASE-LIST')).toContain('EDIT.TXT')
      expect(toldIn(model, 'PHASE-LIST')).not.toContain('NEW.TXT')
      expect(toldIn(model, 'PHASE-LIST')).toContain('NOT-LIKE-THIS')
      expect(eventsOf(session, 'ERROR')).toEqual([])
      expect(await readdir(project)).toEqual(['edit.txt'])
      expect(await readFile(join(project, 'edit.txt'), 'utf8')).toBe(`${OLD}\n`)

      await app.sessions.close(session.sessionId)
      await expect.poll(() => processesWith('environ', `HOME=${home}`), { timeout: 30_000 }).toEqual([])
    },
  )
}

/** The calls of each phase, each with a text that a request contains once the call was made. */
function phasesOf(agent: RealAgent, project: string): Readonly<Record<string, readonly (readonly [readonly [string, object], string])[]>> {
  const edits = agent.edit(join(project, 'edit.txt'), OLD, NEW)
  return {
    'PHASE-EDIT': edits.map((one, at) => [one, at === edits.length - 1 ? NEW : OLD]),
    'PHASE-SLEEP': [[agent.run(`${SLEEP}; echo slept`), 'echo slept']],
    'PHASE-WRITE': [[agent.write(join(project, 'new.txt'), 'written-by-it'), 'written-by-it']],
    'PHASE-CAT': [[agent.run('tr a-z A-Z < edit.txt; echo seen'), 'echo seen']],
    'PHASE-LIST': [[agent.run('ls | tr a-z A-Z; echo listed'), 'echo listed']],
  }
}

async function scriptedFor(agent: RealAgent, project: string): Promise<ScriptedModel> {
  const phases = phasesOf(agent, project)
  const [write] = agent.write('', '')
  const model = await startScriptedModel(({ bytes }) => {
    const body = Buffer.from(bytes).toString()
    // Agents also make requests of their own, for example for a title.
    if (!body.includes(`"${write}"`)) return say('A title')
    const [, todo = []] = Object.entries(phases).findLast(([phase]) => body.includes(phase)) ?? []
    const next = todo.find(([, made]) => !body.includes(made))
    return next ? calls(call(next[0][0], { ...next[0][1] })) : say('All done.')
  })
  onTestFinished(() => model.close())
  return model
}

async function undoEdit(session: OpenedSession): Promise<void> {
  const [edited] = eventsOf(session, 'FILES_CHANGED')
  const at = eventsOf(session, 'TOOL_CALL_START').findIndex(({ toolCallId }) => toolCallId === edited?.toolCallId)
  const target = { kind: 'step', step: at + 1 } as const
  const preview = await session.previewUndo(target)
  if (!preview.ok) throw new Error(preview.failure.what)
  expect(preview.value).toMatchObject({ skipped: [], conflicts: [] })
  expect(await session.undo({ target, plan: preview.value.plan, anyway: [], choices: [] })).toMatchObject({ kind: 'done' })
}

async function refuseAll(app: Parameters<typeof bringIn>[0], { sessionId }: OpenedSession, note: string): Promise<void> {
  const asked = await bringIn(app, sessionId, AbortSignal.timeout(60_000))
  if (!asked.ok) throw new Error(asked.failure.what)
  const request = eventsOf(asked.value.session, 'APPROVAL_REQUESTED').at(-1)
  if (request) await asked.value.session.answer({ ...request, answer: { kind: 'refuse', note }, from: 'terminal' })
  await asked.value.session.running()?.idle()
}

/** What the agent's newest request to its model in this phase contains. */
const toldIn = ({ requests }: ScriptedModel, phase: string): string =>
  requests.map(({ bytes }) => Buffer.from(bytes).toString()).findLast((body) => body.includes(phase)) ?? ''

/** The processes of this machine whose command line or variables contain a text. */
function processesWith(file: 'cmdline' | 'environ', text: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/u.test(pid) && readFileSync(`/proc/${pid}/${file}`, 'latin1').replaceAll('\0', ' ').includes(text)
    } catch {
      return false
    }
  })
}
