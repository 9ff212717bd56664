import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, calls, say, startScriptedModel } from '../../support/scripted-model.ts'
import { openFarDesk } from './far-desk.ts'
import { type Connected, type Connection, testMachine } from './wire.ts'

/** Prints 3,000 numbered lines, and appends a line to a file at each run. */
const COMMAND = 'echo run >> runs.txt; for i in $(seq 1 3000); do echo "line $i of the output"; done; cat a.txt'

const ANSWERS = [
  calls(call('read', { file_path: 'a.txt' })),
  calls(call('edit', { file_path: 'a.txt', old_string: 'hello', new_string: 'hello there' })),
  calls(call('shell', { command: COMMAND })),
  calls(call('grep', { pattern: 'hello' }), call('glob', { pattern: '*.txt' })),
  say('Done.'),
]

export interface WholeSession {
  /** What the model was told, without the name of the folder and times: the results of all calls. The system prompt has the date. */
  readonly told: readonly string[]
  /** The files after the turn, and after its undo. */
  readonly files: Readonly<Record<string, string>>
  readonly undone: Readonly<Record<string, string>>
}

/** Reads, edits, runs a command, searches and undoes everything, over connections with these faults. */
export async function runWholeSession(base: string, connection: (connected: Connected) => Connection): Promise<WholeSession> {
  const machine = testMachine(base, connection)
  const folder = join(base, 'project')
  mkdirSync(folder)
  writeFileSync(join(folder, 'a.txt'), 'hello\n')
  const model = await startScriptedModel(ANSWERS)
  const desk = await openFarDesk({ base, folder: `ssh://box${folder}`, modelUrl: model.url, connectBy: machine.connectBy, sandbox: 'off' })
  try {
    const sessionId = await desk.session('full')
    await desk.turn(sessionId)
    const files = filesIn(folder)
    const target = { kind: 'to', step: 0 } as const
    const previewed = await desk.client.changes.previewUndo({ sessionId, target })
    if (!previewed.ok) throw new Error(previewed.trouble.what)
    const { plan } = previewed.preview
    await desk.client.changes.undo({ sessionId, target, plan, anyway: [], choices: [] })
    const told = model.requests.map(({ body }) =>
      JSON.stringify(body.messages)
        .replaceAll(base, '')
        .replaceAll(/Exit code: 0 \([^)]*\)/gu, 'Exit code: 0'),
    )
    return { told, files, undone: filesIn(folder) }
  } finally {
    await desk.close()
    await model.close()
  }
}

const filesIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
