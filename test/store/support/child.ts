import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** A separate process that reports what it does in JSON lines. */
export interface Child {
  readonly process: ChildProcess
  /** Resolves with the next line of the process's output. Rejects with its stderr if the process exits before it has printed a line. */
  next(): Promise<unknown>
  say(line: string): void
  /** Sends the signal and waits until the process is gone. Returns the lines that were not read yet. */
  kill(signal?: NodeJS.Signals): Promise<readonly unknown[]>
}

/** Runs `test/store/children/<name>.ts` with the current Node. `before` is placed before it on the command line. */
export function startChild(name: string, args: readonly string[], before: readonly string[] = []): Child {
  const file = fileURLToPath(new URL(`../children/${name}.ts`, import.meta.url))
  const [program = '', ...rest] = [...before, process.execPath, file, ...args]
  const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'] })
  const gone = once(child, 'exit')
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
  })
  return {
    process: child,
    async next() {
      const line = await lines.next()
      if (line.done) throw new Error(`the child has ended: ${complaints}`)
      return JSON.parse(line.value) as unknown
    },
    say: (line) => void child.stdin.write(`${line}\n`),
    async kill(signal = 'SIGKILL') {
      child.kill(signal)
      await gone
      const rest: unknown[] = []
      for (let line = await lines.next(); !line.done; line = await lines.next()) rest.push(parse(line.value))
      return rest
    },
  }
}

/** The last line of a killed process may be incomplete. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
