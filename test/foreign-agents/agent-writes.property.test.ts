import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bringIn } from '../../main/layers/bring-in-session.ts'
import type { OpenedSession } from '../../main/sessions/opened-session.ts'
import { hasNoCopies } from '../environment/copy/support.ts'
import { randomRuns } from '../random-runs.ts'
import { type AgentPlace, agentPlace, eventsOf, send } from './support/agent-place.ts'

type Files = ReadonlyMap<string, string>

/** One thing that the agent does to a file. `secretly`: without a call. `text`: null to delete it. */
interface Write {
  readonly path: string
  readonly text: string | null
  readonly how: 'call' | 'early' | 'asks' | 'command' | 'secretly'
}

const PATHS = ['a.txt', 'b.txt', 'c.txt', 'd.txt'] as const

const write: fc.Arbitrary<Write> = fc.record({
  path: fc.constantFrom(...PATHS),
  text: fc.option(fc.stringMatching(/^[a-z]{1,8}$/u), { freq: 4 }),
  how: fc.constantFrom('call', 'early', 'asks', 'command', 'secretly'),
})
const after = fc.constantFrom('nothing', 'sign', 'refuse')
const turns = fc.array(fc.record({ writes: fc.array(write, { minLength: 1, maxLength: 6 }), after }), { minLength: 1, maxLength: 3 })

/** Commands that change nothing if they fail, so that a file may be missing. */
function stepFor({ path, text, how }: Write): object {
  if (text === null) return { run: `rm -f ${path}` }
  if (how === 'command') return { run: `printf %s ${text} > ${path}` }
  if (how === 'secretly') return { secretly: [path, text] }
  return { write: [path, text, { ask: how === 'asks', early: how === 'early' }] }
}

/** What the agent sees, by a command of its own. */
async function seenByAgent(session: OpenedSession): Promise<Files> {
  await send(session, [{ run: `for f in ${PATHS.join(' ')}; do [ -e $f ] && echo "$f $(cat $f)"; done; true` }])
  const output = eventsOf(session, 'TOOL_CALL_END').at(-1)?.output ?? ''
  return new Map(output.split('\n').flatMap((line) => (line === '' ? [] : [[line.slice(0, 5), line.slice(6)] as const])))
}

const inFolder = (project: string): Files => new Map(readdirSync(project).map((name) => [name, readFileSync(join(project, name), 'utf8')]))

/** The files after all change sets of the log in order. Each must begin with what the one before it has left. */
function afterChangeSets({ app }: AgentPlace, session: OpenedSession): Files {
  const files = new Map<string, string>()
  const textOf = (hash: Parameters<typeof app.store.blobs.get>[0] | null): string | undefined =>
    hash === null ? undefined : app.store.blobs.get(hash).toString()
  const changes = [...session.record.read()].flatMap(({ event }) =>
    event.kind === 'FILES_CHANGED' || event.kind === 'ROLLED_BACK' ? [event] : [],
  )
  for (const event of changes)
    for (const { shown, before, after: later } of event.files) {
      expect({ shown, text: files.get(shown) }).toEqual({ shown, text: textOf(before) })
      const text = textOf(later)
      if (text === undefined) files.delete(shown)
      else files.set(shown, text)
    }
  return files
}

async function answerAll({ app }: AgentPlace, { sessionId }: OpenedSession, answer: 'sign' | 'refuse'): Promise<void> {
  const asked = await bringIn(app, sessionId, AbortSignal.timeout(60_000))
  if (!asked.ok || !asked.value.asks) return
  const { session } = asked.value
  const request = eventsOf(session, 'APPROVAL_REQUESTED').at(-1)
  if (request)
    await session.answer({ ...request, answer: answer === 'sign' ? { kind: 'sign' } : { kind: 'refuse', note: '' }, from: 'terminal' })
  await session.running()?.idle()
}

it.skipIf(hasNoCopies)(
  'after random writes of a third-party agent, the folder has only what was signed, the agent sees all it wrote except what was refused, and its change sets say the same',
  { timeout: 3_600_000 },
  () =>
    fc.assert(
      fc.asyncProperty(turns, async (all) => {
        const place = await agentPlace()
        const session = await place.start()
        const seen = new Map<string, string>()
        let signed: Files = new Map()
        for (const { writes, after: then } of all) {
          await send(session, writes.map(stepFor))
          for (const { path, text } of writes) {
            if (text === null) seen.delete(path)
            else seen.set(path, text)
          }
          expect(await seenByAgent(session)).toEqual(seen)
          expect(afterChangeSets(place, session)).toEqual(seen)
          expect(inFolder(place.project)).toEqual(signed)
          if (then === 'sign' || then === 'refuse') await answerAll(place, session, then)
          if (then === 'sign') signed = new Map(seen)
          expect(inFolder(place.project)).toEqual(signed)
          if (then === 'refuse') {
            seen.clear()
            for (const [path, text] of signed) seen.set(path, text)
            expect(await seenByAgent(session)).toEqual(seen)
            expect(afterChangeSets(place, session)).toEqual(seen)
          }
        }
        await place.app.sessions.close(session.sessionId)
      }),
      { numRuns: randomRuns(20) },
    ),
)
