import { expect, it } from 'vitest'
import type { RunningTerminal } from '../../main/agent/ports/execution-environment.ts'
import { createKnownSecrets } from '../../main/redaction/known-secrets.ts'
import { type ScriptedFarSide, startWith, welcome } from './scripted-far-side.ts'

const SECRET = 'sk-abcdefghijklmnopqrstuvwxyz'
const HALVES = [`one ${SECRET.slice(0, 9)}`, `${SECRET.slice(9)} two\n`]
const CLEAN = 'one [hidden by Countersign: the test’s key] two\n'

/** A far side that prints a secret in halves, in every way that a command’s output takes. */
async function printsSecret(far: ScriptedFarSide): Promise<void> {
  await welcome(far)
  const { id } = await far.heard('call')
  const tell = (event: object, bytes?: Buffer): void => far.send({ kind: 'event', id, event }, bytes)
  tell({ of: 'terminal-open' })
  for (const text of HALVES) {
    tell({ of: 'terminal-data', text })
    tell({ of: 'output', chunk: { stream: 'stderr', text } })
    tell({ of: 'spool' }, Buffer.from(text))
    tell({ of: 'spoolText' }, Buffer.from(text))
  }
  tell({ of: 'progress', tail: HALVES.join(''), bytes: 10 })
  const result = { exitCode: 0, signal: null, timedOut: false, aborted: false, durationMs: 1, bytes: 10, complete: true }
  far.send({ kind: 'done', id, value: { ...result, stdout: HALVES.join(''), stderr: SECRET } })
}

it('secrets are removed on the near side from all that a command prints, even if they come in pieces', async () => {
  const redactor = createKnownSecrets()
  redactor.add('the test’s key', SECRET)
  const host = await startWith(printsSecret, { redactor })
  const seen: Record<string, string> = { spool: '', spoolText: '', stdout: '', stderr: '', terminal: '', progress: '' }
  const add = (to: string, what: string | Uint8Array): void => void (seen[to] += Buffer.from(what as string).toString())
  let terminal: RunningTerminal | undefined
  const result = await host.environment.execCommand('anything', {
    onOutput: ({ stream, text }) => add(stream, text),
    onProgress: (tail) => add('progress', tail),
    spool: (bytes) => add('spool', bytes),
    spoolText: (bytes) => add('spoolText', bytes),
    terminal: {
      columns: 80,
      rows: 24,
      onOpen(opened) {
        terminal = opened
        opened.onData((text) => add('terminal', text))
      },
    },
  })
  const everything = { ...seen, stdoutOfResult: result.stdout, screen: `${terminal?.screen()}\n` }
  expect(Object.entries(everything).filter(([, text]) => text !== CLEAN)).toEqual([])
  expect(result.stderr).not.toContain(SECRET)
})
