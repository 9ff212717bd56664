import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { type AgentOptions, agentArgs, cleanEnv, ROOT } from '../../../headless/support/agent-process.ts'

export interface StdioAgent {
  readonly child: ChildProcessWithoutNullStreams
  /** The messages that it has printed. */
  messages(): readonly Message[]
  /** Ends its input. Expects that it then exits without an error, and that it has printed nothing but messages. */
  expectEnd(): Promise<void>
}

export interface Message {
  readonly jsonrpc: string
  readonly id?: number | string
  readonly method?: string
  readonly params?: { readonly update?: { readonly sessionUpdate: string }; readonly options?: readonly Option[] }
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: object
}

interface Option {
  readonly optionId: string
  readonly kind: string
}

/** Starts `--acp` as editors do, with pipes. `options`: its further options. */
export function startStdioAgent(at: AgentOptions, options: readonly string[] = []): StdioAgent {
  const child = spawn(process.execPath, agentArgs(['--acp', ...options], at), {
    cwd: ROOT,
    env: { ...cleanEnv(), ...at.env },
    stdio: 'pipe',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stderr.resume()
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const lines = (): readonly string[] => printed.split('\n').slice(0, -1)
  const messages = (): readonly Message[] => lines().map((line) => JSON.parse(line) as Message)
  return {
    child,
    messages,
    async expectEnd() {
      const exit = once(child, 'exit')
      child.stdin.end()
      expect(await exit).toEqual([0, null])
      expect(printed.endsWith('\n')).toBe(true)
      expect(new Set(messages().map(({ jsonrpc }) => jsonrpc))).toEqual(new Set(['2.0']))
    },
  }
}
