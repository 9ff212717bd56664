import { StringDecoder } from 'node:string_decoder'
import { orNull } from '../../environment/environment-failure.ts'
import { inCluster, mustHave, startProgram, NO_SSH } from '../programs.ts'
import type { Cluster } from './kubectl.ts'
import type { PodState } from './pod-state.ts'

/** How a wait for a pod ended. `late`: the time limit was reached, and `why` is what the pod waited for last. */
export type WaitEnd = { readonly kind: 'running' } | { readonly kind: 'stuck' | 'gone' | 'late' | 'failed'; readonly why: string }

interface WaitOptions {
  /** The kind of the object that is watched, as `kubectl` names it. */
  readonly kind: string
  /** Reads the state from the cluster's description of the object. */
  readonly read: (json: unknown) => PodState | null
  readonly limitMs: number
  /** Called with a sentence whenever the reason for waiting changes. */
  readonly report: (words: string) => void
  readonly signal?: AbortSignal | undefined
}

/** Waits until a pod, or the pod of a claim, runs or cannot run any more. Rejects with the signal's reason. */
export async function waitForPod(cluster: Cluster, name: string, { kind, read, limitMs, report, signal }: WaitOptions): Promise<WaitEnd> {
  signal?.throwIfAborted()
  const child = startProgram([mustHave('kubectl'), ...inCluster(cluster), 'get', kind, name, '--watch', '--output', 'json'], NO_SSH)
  const { promise, resolve, reject } = Promise.withResolvers<WaitEnd>()
  let why = `The pod ${name} waits for the cluster.`
  let said = ''
  const take = (state: PodState | null): void => {
    if (state === null) return
    if (state.kind !== 'waiting') return resolve(state)
    if (state.why !== why) report(state.why)
    why = state.why
  }
  const documents = jsonDocuments((document) => {
    const json = orNull(() => JSON.parse(document) as unknown)
    if (json === null) resolve({ kind: 'failed', why: `kubectl printed something that is not JSON: ${document.slice(0, 200)}` })
    else take(read(json))
  })
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

/** Splits the output of `kubectl --watch --output json` into its documents. Each has many lines, and its last line is `}`. */
function jsonDocuments(take: (document: string) => void): (bytes: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let text = ''
  return (bytes) => {
    text += decoder.write(bytes)
    for (let end = text.indexOf('\n}\n'); end !== -1; end = text.indexOf('\n}\n')) {
      const document = text.slice(0, end + 2)
      text = text.slice(end + 3)
      take(document)
    }
  }
}
