import { join } from 'node:path'
import { spawn } from 'node-pty'
import { onTestFinished } from 'vitest'
import { type AgentOptions, headlessShell } from './agent-process.ts'

const ROOT = join(import.meta.dirname, '../../..')

/**
 * A step of the user at the terminal. `type` is typed as soon as the screen shows `when` after the text that earlier steps matched. If
 * `type` is a function, it is called instead.
 */
export interface Step {
  readonly when: string
  readonly type: string | (() => void)
}

export interface TerminalOutcome {
  readonly code: number
  /** Everything that was written to the terminal, in order. */
  readonly screen: string
}

/** Runs the headless shell on a real terminal with scripted input. */
export async function runOnTerminal(
  args: readonly string[],
  { cwd, data, env = {} }: AgentOptions,
  steps: readonly Step[],
  onStart: (type: (keys: string) => void) => void = () => {},
): Promise<TerminalOutcome> {
  const entry = [...headlessShell(), '--cwd', cwd, '--data', data, ...args]
  // Without the shared code cache, a run with its own home folder would compile everything again.
  const codeCache = process.env['NODE_COMPILE_CACHE'] ?? join(data, 'code')
  const own = { PATH: process.env['PATH'] ?? '', HOME: data, NO_COLOR: '1', NODE_COMPILE_CACHE: codeCache, ...env }
  const child = spawn(process.execPath, entry, { cwd: ROOT, env: own, cols: 100, rows: 30 })
  onTestFinished(() => child.kill('SIGKILL'))
  onStart((keys) => child.write(keys))
  let screen = ''
  let seen = 0
  let done = 0
  child.onData((text) => {
    screen += text
    for (let step = steps[done]; step; step = steps[done]) {
      const at = screen.indexOf(step.when, seen)
      if (at < 0) return
      seen = at + step.when.length
      done++
      if (typeof step.type === 'string') child.write(step.type)
      else step.type()
    }
  })
  const code = await new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)))
  if (done < steps.length) throw new Error(`The screen never said “${steps[done]?.when}”, but:\n${screen}`)
  return { code, screen }
}
