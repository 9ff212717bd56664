import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** Its own process that says what it does in JSON lines. */
export interface Child {
  readonly process: ChildProcess
  /** The next line of its output; rejects with its error output if it ends before. */
  next(): Promise<unknown>
  say(line: string): void
  /** Ends with the signal and waits until it is gone; returns the lines that nobody had asked for. */
  kill(signal?: NodeJS.Signals): Promise<readonly unknown[]>
}

/** Runs `test/store/children/<name>.ts` with the Node that runs the tests; `before` precedes it on the command line. */
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

/** The last line of a killed process may be half a one. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
