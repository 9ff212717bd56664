import { StringDecoder } from 'node:string_decoder'
import { inCluster, mustHave, startProgram, NO_SSH } from '../programs.ts'
import type { Cluster } from './kubectl.ts'
import { podState, type PodState } from './pod-state.ts'

/** How a wait for a pod ended. `late`: the time limit was reached; `why` is what it waited for last. */
export type WaitEnd = { readonly kind: 'running' } | { readonly kind: 'stuck' | 'gone' | 'late' | 'failed'; readonly why: string }

interface WaitOptions {
  readonly limitMs: number
  /** Told each new reason, as a sentence. */
  readonly report: (words: string) => void
  readonly signal?: AbortSignal | undefined
}

/** Follows a pod until it runs or will not run. Rejects with the signal's reason. */
export async function waitForPod(cluster: Cluster, name: string, { limitMs, report, signal }: WaitOptions): Promise<WaitEnd> {
  signal?.throwIfAborted()
  const child = startProgram([mustHave('kubectl'), ...inCluster(cluster), 'get', 'pod', name, '--watch', '--output', 'json'], NO_SSH)
  const { promise, resolve, reject } = Promise.withResolvers<WaitEnd>()
  let why = `The pod ${name} waits for a node.`
  let said = ''
  const take = (state: PodState | null): void => {
    if (state === null) return
    if (state.kind !== 'waiting') return resolve(state)
    if (state.why !== why) report(state.why)
    why = state.why
  }
  const documents = jsonDocuments((json) => take(podState(json)))
  child.stdin.end()
  child.stdout.on('data', documents)
  child.stderr.on('data', (bytes: Buffer) => (said = (said + bytes.toString('utf8')).slice(-2_000)))
  child.once('error', (error) => resolve({ kind: 'failed', why: error.message }))
  child.once('close', () => resolve({ kind: 'failed', why: `kubectl ended. ${said.trim()}`.trim() }))
  const timer = setTimeout(() => resolve({ kind: 'late', why }), limitMs)
  const onAbort = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    child.kill('SIGKILL')
  }
}

/** Takes the output of `kubectl --watch --output json`: documents of many lines, each of which ends with a line `}`. */
function jsonDocuments(take: (json: unknown) => void): (bytes: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let text = ''
  return (bytes) => {
    text += decoder.write(bytes)
    for (let end = text.indexOf('\n}\n'); end !== -1; end = text.indexOf('\n}\n')) {
      const document = text.slice(0, end + 2)
      text = text.slice(end + 3)
      take(JSON.parse(document))
    }
  }
}
