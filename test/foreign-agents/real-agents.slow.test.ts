import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { AGENT_SESSION_MARKER, agentLog } from '../../main/foreign-agents/agent-log.ts'
import { bringIn } from '../../main/layers/bring-in-session.ts'
import type { OpenedSession } from '../../main/sessions/opened-session.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { call, calls, say, startScriptedModel, type ScriptedModel } from '../support/scripted-model.ts'
import { changesByStep, eventsOf, saidIn, send, startWith } from './support/agent-place.ts'
import { installedAgent, openWith, REAL_AGENTS, type RealAgent } from './support/real-agents.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const WRITTEN = 'written by its own tool'
const COMMAND = 'echo from-a-command > made.txt'

for (const agent of REAL_AGENTS) {
  const file = installedAgent(agent)
  if (file === null) process.stderr.write(`Skipped: ${agent.program} is not installed.\n`)
  test.skipIf(file === null || hasNoCopies)(
    `${agent.id}: two turns in the layer with a change set per call, resumed in between; the folder gets what was signed`,
    { timeout: 400_000 },
    async () => {
      const project = temporaryFolder('project')
      const model = await scriptedFor(agent, project)
      const { app, home } = await openWith(agent, file ?? '', { project, url: model.url })
      const first = await startWith(app, project, agent.id)
      await send(first, 'ONE: write new.txt')
      expect(eventsOf(first, 'ERROR')).toEqual([])
      expect(eventsOf(first, 'WARNING')).toEqual([])
      expect(changesByStep(first).map(([, files]) => files)).toEqual([['+new.txt']])
      await app.sessions.discard(first.sessionId)

      const opened = await app.sessions.open(first.sessionId)
      if (!opened.ok) throw new Error(opened.failure.what)
      const session = opened.value
      await send(session, 'TWO: run the command')
      expect(eventsOf(session, 'ERROR')).toEqual([])
      expect(changesByStep(session).map(([, files]) => files)).toEqual([['+new.txt'], ['+made.txt']])
      expect(saidIn(session)).toContain('All done.')

      await send(session, 'THREE: first one, then the other')
      expect(eventsOf(session, 'ERROR')).toEqual([])
      expect(changesByStep(session).map(([, files]) => files)).toEqual([['+new.txt'], ['+made.txt'], ['+first.txt'], ['+other.txt']])
      expect(barriersOf(session)).not.toContain('report')
      process.stderr.write(`${agent.id}: ${barriersOf(session).join(', ')}; ${JSON.stringify(session.record.state().usage)}\n`)
      const log = await agentLog([home], app.store.sessions.markers(session.sessionId).get(AGENT_SESSION_MARKER) ?? '')
      process.stderr.write(`${agent.id}: ${log === null ? 'no log' : log.slice(home.length)}\n`)
      expect(log !== null).toBe(agent.keepsLog === true)
      expect(await readdir(project)).toEqual([])

      const asked = await bringIn(app, session.sessionId, AbortSignal.timeout(60_000))
      if (!asked.ok) throw new Error(asked.failure.what)
      const [request] = eventsOf(asked.value.session, 'APPROVAL_REQUESTED')
      if (request) await asked.value.session.answer({ ...request, answer: { kind: 'sign' }, from: 'terminal' })
      await asked.value.session.running()?.idle()
      expect((await readdir(project)).toSorted()).toEqual(['first.txt', 'made.txt', 'new.txt', 'other.txt'])
      expect(await readFile(join(project, 'new.txt'), 'utf8')).toContain(WRITTEN)
    },
  )
}

/** For each step with changes: what kept the agent from going on while they were read. */
function barriersOf(session: OpenedSession): readonly unknown[] {
  const changed = new Set(eventsOf(session, 'FILES_CHANGED').map(({ toolCallId }) => toolCallId))
  return eventsOf(session, 'TOOL_CALL_END').flatMap(({ toolCallId, details }) =>
    changed.has(toolCallId) ? [(details as { readonly readAt?: string } | null)?.readAt] : [],
  )
}

/** Agents also make requests of their own, for example for a title, so the answer depends on what the request contains. */
async function scriptedFor(agent: RealAgent, project: string): Promise<ScriptedModel> {
  const model = await startScriptedModel(({ bytes }) => {
    const body = Buffer.from(bytes).toString()
    const [write, written] = agent.write(join(project, 'new.txt'), WRITTEN)
    const [run, ran] = agent.run(COMMAND)
    if (!body.includes(`"${write}"`)) return say('A title')
    if (body.includes('THREE: first')) {
      const name = body.includes('from-the-first') ? 'other' : 'first'
      const [tool, args] = agent.run(`echo from-the-${name} > ${name}.txt`)
      return body.includes('from-the-other') ? say('All done.') : calls(call(tool, { ...args }))
    }
    if (body.includes('TWO: run the command')) return body.includes('from-a-command') ? say('All done.') : calls(call(run, { ...ran }))
    return body.includes(WRITTEN) ? say('All done.') : calls(call(write, { ...written }))
  })
  onTestFinished(() => model.close())
  return model
}
