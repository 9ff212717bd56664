import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { AppCalls } from './app-calls.ts'

/** The app was killed before it answered. */
export class AppKilled extends Error {}

/** The app in a process of its own, which is started again after a kill. */
export interface DrivenApp {
  call<N extends keyof AppCalls>(name: N, given: Parameters<AppCalls[N]>[0]): ReturnType<AppCalls[N]>
  kill(): Promise<void>
  /** Closes the app when nobody waits for an answer, and starts it again. */
  restart(): Promise<void>
  close(): Promise<void>
}

interface Waiting {
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

export function driveApp(dataFolder: string, url: string): DrivenApp {
  const waiting = new Map<number, Waiting>()
  let count = 0
  const start = (): ChildProcess => {
    const preflight = new URL('../../../main/preflight.mjs', import.meta.url).href
    const script = join(import.meta.dirname, 'app-process.ts')
    const child = spawn(process.execPath, ['--import', preflight, script, dataFolder, url], { stdio: ['pipe', 'pipe', 'inherit'] })
    child.once('exit', (code) => {
      if (code !== null && code !== 0) for (const { reject } of waiting.values()) reject(new Error(`The app ended with ${code}.`))
    })
    // Writing to a killed process fails. `killed` answers those requests.
    child.stdin.on('error', () => {})
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, value, failure } = JSON.parse(line) as { readonly id: number; readonly value?: never; readonly failure?: string }
      const { resolve, reject } = waiting.get(id) ?? {}
      waiting.delete(id)
      if (failure === undefined) resolve?.(value as never)
      else reject?.(new Error(failure))
    })
    return child
  }
  let child = start()
  /** Calls wait for it while the app is being replaced. */
  let replaced: Promise<void> | null = null
  const end = async (work: () => Promise<void>): Promise<void> => {
    if (replaced !== null) return replaced
    replaced = work().then(() => {
      for (const { reject } of waiting.values()) reject(new AppKilled('The app was killed.'))
      waiting.clear()
      child = start()
      replaced = null
    })
    return replaced
  }
  const send = (name: string, given: unknown): Promise<never> =>
    new Promise((resolve, reject) => {
      const id = count++
      waiting.set(id, { resolve, reject })
      child.stdin?.write(`${JSON.stringify({ id, name, given })}\n`)
    })
  const quiet = async (): Promise<void> => {
    while (waiting.size > 0) await once(child.stdout ?? child, 'data')
  }
  const killed = async (): Promise<void> => {
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
  }
  return {
    call: (name, given) => (replaced ?? Promise.resolve()).then(() => send(name, given)) as ReturnType<AppCalls[typeof name]>,
    kill: () => end(killed),
    restart: () =>
      end(async () => {
        await quiet()
        const closed = once(child, 'close')
        await send('close', null)
        child.stdin?.end()
        await closed
      }),
    async close() {
      await replaced
      await killed()
    },
  }
}
