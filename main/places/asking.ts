import { constants, watch } from 'node:fs'
import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { codeOf } from '../environment/environment-failure.ts'
import { isRunning, openTemporaryFolder } from '../environment/temporary-folder.ts'

/** Answers a question of `ssh`: a password, a code, or whether a host's key is right. Null to refuse. */
export type Answer = (question: string) => Promise<string | null>

export interface Asking {
  /** Variables for `ssh` that route its questions to `Answer`. */
  readonly variables: Readonly<Record<string, string>>
  /** Aborted when a question was refused. */
  readonly refused: AbortSignal
  close(): Promise<void>
}

/** The folder gets `q.PID` with the question. The answer comes through the pipe `a.PID`, so it is never stored in a file. */
const SCRIPT = `#!/bin/sh
umask 077
d="\${0%/*}"
mkfifo "$d/a.$$" || exit 1
printf '%s' "$1" > "$d/t.$$" && mv "$d/t.$$" "$d/q.$$"
cat "$d/a.$$"
rm -f "$d/a.$$"
`
/** Time in ms between attempts to answer a script that does not read its pipe yet. */
const NOT_READY_MS = 20
/** The number of attempts is limited, because a killed script counts as running until its parent has read its exit code. */
const MAX_ATTEMPTS = 250

/** Passes the questions of `ssh` to `answer`, one at a time. Null on Windows, which has no named pipes in folders. */
export async function openAsking(answer: Answer): Promise<Asking | null> {
  if (process.platform === 'win32') return null
  const folder = await openTemporaryFolder('questions')
  const script = join(folder, 'ask')
  await writeFile(script, SCRIPT, { mode: 0o700 })
  const refused = new AbortController()
  const asked = new Set<string>()
  let work = Promise.resolve()
  /** Answers the script with this pid, unless it has ended. Tries again while the script does not read its pipe yet. */
  const send = async (pid: string, text: string): Promise<void> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if ((await isSent(join(folder, `a.${pid}`), text)) || !isRunning(Number(pid))) return
      await delay(NOT_READY_MS)
    }
  }
  const look = async (): Promise<void> => {
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter((one) => one.startsWith('q.') && !asked.has(one))) {
      asked.add(name)
      const question = await readFile(join(folder, name), 'utf8').catch(() => null)
      if (question === null) continue
      const text = await answer(question)
      if (text === null) refused.abort(new Error('The question was not answered.'))
      else await send(name.slice(2), `${text}\n`)
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
      // A script without an answer would wait forever, even after ssh has ended.
      await Promise.all(names.filter((one) => one.startsWith('a.')).map((one) => send(one.slice(2), '')))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Writes into a pipe. False if nobody reads it. An ordinary `open` would wait for a reader, which may have been killed. */
async function isSent(pipe: string, text: string): Promise<boolean> {
  try {
    const file = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
    try {
      await file.writeFile(text)
    } finally {
      await file.close()
    }
  } catch (error) {
    // After any other failure, such as a removed pipe, nobody waits for the answer.
    return codeOf(error) !== 'ENXIO'
  }
  return true
}
