import { constants, watch } from 'node:fs'
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Answers a question of `ssh`: a password, a code, or whether a host's key is right. Null to refuse. */
export type Answer = (question: string) => Promise<string | null>

export interface Asking {
  /** The variables with which `ssh` asks here. */
  readonly variables: Readonly<Record<string, string>>
  /** Aborted when a question was refused. */
  readonly refused: AbortSignal
  close(): Promise<void>
}

/** The folder gets `q.PID` with the question; the answer comes through the pipe `a.PID`, so that it is never in a file. */
const SCRIPT = `#!/bin/sh
umask 077
d="\${0%/*}"
mkfifo "$d/a.$$" || exit 1
printf '%s' "$1" > "$d/t.$$" && mv "$d/t.$$" "$d/q.$$"
cat "$d/a.$$"
`

/** Lets `ssh` ask through `answer`, one question after the other. Null on Windows, which has no pipes with names in folders. */
export async function openAsking(answer: Answer): Promise<Asking | null> {
  if (process.platform === 'win32') return null
  const folder = await mkdtemp('/tmp/cs-ask-')
  const script = join(folder, 'ask')
  await writeFile(script, SCRIPT, { mode: 0o700 })
  const refused = new AbortController()
  const asked = new Set<string>()
  let work = Promise.resolve()
  const look = async (): Promise<void> => {
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter((one) => one.startsWith('q.') && !asked.has(one))) {
      asked.add(name)
      const text = await answer(await readFile(join(folder, name), 'utf8'))
      if (text === null) refused.abort(new Error('The question was not answered.'))
      else await writeFile(join(folder, `a.${name.slice(2)}`), `${text}\n`)
    }
  }
  const watcher = watch(folder, () => {
    work = work.then(look, look)
  })
  return {
    variables: {
      SSH_ASKPASS: script,
      SSH_ASKPASS_REQUIRE: 'force',
      // Older versions of ssh ask only if there is a display.
      DISPLAY: process.env['DISPLAY'] ?? ':0',
    },
    refused: refused.signal,
    async close() {
      watcher.close()
      const names = await readdir(folder).catch(() => [])
      for (const name of names.filter((one) => one.startsWith('a.'))) await endReader(join(folder, name))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Ends whoever waits for an answer from the pipe: the script would wait for ever, even after `ssh` has ended. */
async function endReader(pipe: string): Promise<void> {
  try {
    const file = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
    await file.close()
  } catch {
    // Nobody reads it.
  }
}
