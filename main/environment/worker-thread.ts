import { Worker } from 'node:worker_threads'

/** The answer if a thread failed, could not start, or ended before it answered. */
interface ThreadFailure {
  readonly kind: 'failed'
  readonly message: string
}

/** A thread that answers each request with one message, which has the `id` of the request. */
export interface WorkerThread<Request, Reply> {
  /** Starts the thread if it is not running. The process is kept alive until the answer. Never rejects. */
  ask(request: Request): Promise<Reply | ThreadFailure>
  /** Ends the thread. Open requests fail. */
  close(): Promise<void>
}

/** `file` is called when the thread starts, and may throw. */
export function createWorkerThread<Request extends object, Reply extends object>(
  file: () => URL,
  workerData: object,
): WorkerThread<Request, Reply> {
  let thread: Worker | null = null
  let nextId = 1
  const waiting = new Map<number, (reply: Reply | ThreadFailure) => void>()
  const ended = (message: string): void => {
    thread = null
    for (const resolve of waiting.values()) resolve({ kind: 'failed', message })
    waiting.clear()
  }
  const started = (): Worker => {
    if (thread) return thread
    const worker = new Worker(file(), { workerData })
    worker.on('message', (reply: Reply & { readonly id: number }) => {
      waiting.get(reply.id)?.(reply)
      waiting.delete(reply.id)
      if (waiting.size === 0) worker.unref()
    })
    worker.on('error', (error: Error) => thread === worker && ended(error.message))
    worker.on('exit', () => thread === worker && ended('The thread ended.'))
    thread = worker
    return worker
  }
  return {
    ask: (request) =>
      new Promise((resolve) => {
        const id = nextId++
        try {
          const worker = started()
          worker.ref()
          waiting.set(id, resolve)
          worker.postMessage({ ...request, id })
        } catch (error) {
          waiting.delete(id)
          resolve({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
        }
      }),
    async close() {
      const running = thread
      ended('The app is closing.')
      await running?.terminate()
    },
  }
}
