import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Session } from '../../main/agent/session.ts'
import type { DurableEvent } from '../../shared/session/events.ts'

/** A session with a real model, in its own folder. */
export interface LiveDesk {
  readonly folder: string
  readonly session: Session
  events(): readonly DurableEvent[]
}

export interface FirstStep {
  readonly name: string
  /** Resolves with null if the result is correct, otherwise with what is wrong. Rejects if the turn fails. */
  run(desk: LiveDesk): Promise<string | null>
}

/**
 * What a user would try first with a provider (S-45). The results are judged by files and events, never by what the model says about
 * itself.
 */
export const FIRST_STEPS: readonly FirstStep[] = [
  {
    name: 'hello.py is created',
    async run(desk) {
      await turn(desk, 'Create hello.py, a script of one line that prints hello. Do not run it.')
      return lacks(await text(desk, 'hello.py'), /print\(.*hello/i, 'hello.py prints no hello')
    },
  },
  {
    name: 'it gets a second print',
    async run(desk) {
      await turn(desk, 'Add a second print to hello.py, which prints again. Keep the first. Do not run it.')
      return lacks(await text(desk, 'hello.py'), /print\([\s\S]*hello[\s\S]*print\([\s\S]*again/i, 'hello.py has not both prints')
    },
  },
  {
    name: 'it runs',
    async run(desk) {
      const ends = endsOf(await turn(desk, 'Run hello.py with python3.'))
      return ends.some(({ output }) => /hello\s+again/i.test(output)) ? null : 'no command printed both words'
    },
  },
  {
    name: 'a file of 100 000 characters is whole in the log',
    async run(desk) {
      await writeFile(join(desk.folder, 'big.txt'), '0123456789abcde\n'.repeat(6_250))
      const ends = endsOf(await turn(desk, 'Run exactly one command, `cat big.txt`, then say done. Do nothing else.'))
      return ends.some(({ outputBlob }) => (outputBlob?.bytes ?? 0) >= 100_000) ? null : 'no output of that size was kept'
    },
  },
  {
    name: 'words in the middle of the work change it',
    async run(desk) {
      const events = await turn(
        desk,
        'First look at the files here. Then write app.py, a Flask service with endpoints for users, orders and health. Do not run or install anything.',
        'Just one endpoint: /health. Nothing else in app.py.',
      )
      if (!events.some(({ kind }) => kind === 'STEERING_INJECTED')) return 'the words did not reach the turn'
      const routes = (await text(desk, 'app.py')).match(/@\w+\.(route|get|post|put|delete)\(/g) ?? []
      return routes.length === 1 ? null : `app.py has ${routes.length} endpoints`
    },
  },
  {
    name: 'a subagent writes tests',
    async run(desk) {
      const task =
        'Let a subagent (not yourself) write test_hello.py, a unittest that runs hello.py and checks what it prints. Wait for it.'
      const events = await turn(desk, task)
      const starts = (tool: string): boolean => ['task', 'spawn_agent'].includes(tool)
      if (!endsOf(events).some(({ toolName, isError }) => starts(toolName) && !isError)) return 'no subagent was started'
      return lacks(await text(desk, 'test_hello.py'), /hello/, 'test_hello.py does not test hello.py')
    },
  },
  {
    name: 'a command is ended after its ten seconds',
    async run(desk) {
      const startedAt = performance.now()
      const task = 'Run `sleep 30` in the foreground with a time limit of 10 seconds (10000 ms), once. Say what happened.'
      const ends = endsOf(await turn(desk, task))
      if (!ends.some(({ isError, output }) => isError && output.includes('10000'))) return 'no command was stopped after 10000 ms'
      return performance.now() - startedAt < 120_000 ? null : 'it took more than two minutes'
    },
  },
]

/** Runs one turn and returns its events. `steer` is sent as soon as the first call begins. */
async function turn({ session, events }: LiveDesk, task: string, steer?: string): Promise<readonly DurableEvent[]> {
  const before = events().length
  const watching = session.record.subscribe(({ event }) => {
    if (steer === undefined || event.kind !== 'TOOL_CALL_START') return
    watching.dispose()
    session.steer(steer)
  })
  try {
    session.submit(task)
    const state = await session.idle()
    const own = events().slice(before)
    if (state.ended === 'completed') return own
    const error = own.findLast((event) => event.kind === 'ERROR')
    throw new Error(`the turn ended as ${state.ended}${error ? `: ${error.error.what}` : ''}`)
  } finally {
    watching.dispose()
  }
}

function endsOf(events: readonly DurableEvent[]) {
  return events.filter((event) => event.kind === 'TOOL_CALL_END')
}

function text({ folder }: LiveDesk, name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8').catch(() => '')
}

function lacks(found: string, wanted: RegExp, words: string): string | null {
  return wanted.test(found) ? null : words
}
