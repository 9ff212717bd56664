import { z } from 'zod'
import { type Handlers, command, items, returns, stream } from '../../shared/wire/contract.ts'

/** A small contract with one endpoint for each way in which a call or a stream can behave. */
export const benchContract = {
  bench: {
    echo: command({
      input: z.object({ text: z.string(), padded: z.string().default('none') }),
      output: returns<{ readonly text: string; readonly connection: string; readonly padded: string }>(),
    }),
    later: command({ input: z.object({ index: z.number(), turns: z.number() }), output: returns<number>() }),
    broken: command({ input: z.object({}), output: returns<null>() }),
    wait: command({ input: z.object({}), output: returns<null>() }),
    anything: command({ input: z.unknown(), output: returns<null>() }),
    count: stream({ input: z.object({ to: z.number() }), item: items<number>() }),
    forever: stream({ input: z.object({}), item: items<number>() }),
    stuck: stream({ input: z.object({}), item: items<number>() }),
    breaks: stream({ input: z.object({ after: z.number() }), item: items<number>() }),
    padded: stream({ input: z.object({ pad: z.string() }), item: items<string>() }),
  },
} as const

/** Handlers that record who called them and that a test can wait for. */
export class Bench {
  readonly calls: string[] = []
  readonly #starts = new Signals<{ readonly signal: AbortSignal }>()
  readonly #ends = new Signals<null>()
  readonly #seen = new Signals<null>()

  /** Resolves with the next `wait` call that has begun. */
  started = (): Promise<{ readonly signal: AbortSignal }> => this.#starts.next()
  /** Resolves when the handler of the next `forever` or `stuck` stream has ended. */
  ended = (): Promise<null> => this.#ends.next()
  seen = (): void => this.#seen.push(null)

  async allSeen(count: number): Promise<void> {
    for (let index = 0; index < count; index++) await this.#seen.next()
  }

  readonly handlers: Handlers<typeof benchContract> = {
    bench: {
      echo: (input, { connection }) => this.#note('echo', { ...input, connection }),
      later: async ({ index, turns }) => {
        this.calls.push('later')
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
        return index
      },
      broken: () => {
        throw new Error('a secret detail')
      },
      wait: (_, { signal }) => {
        this.calls.push('wait')
        this.#starts.push({ signal })
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
      },
      anything: () => this.#note('anything', null),
      count: async function* ({ to }) {
        for (let index = 0; index < to; index++) yield index
      },
      forever: (_, { signal }) => this.#forever(signal),
      stuck: () => this.#stuck(),
      breaks: async function* ({ after }) {
        for (let index = 0; index < after; index++) yield index
        throw new Error('a secret detail')
      },
      padded: async function* () {
        yield 'never'
      },
    },
  }

  #note<T>(name: string, output: T): T {
    this.calls.push(name)
    return output
  }

  /** Emits one item and then nothing. It ignores the abort signal, so the only way to end it is to leave the iteration. */
  #stuck(): AsyncIterable<number> {
    const first = [0]
    const never = new Promise<never>(() => {})
    const next = (): Promise<IteratorResult<number>> => {
      const value = first.pop()
      return value === undefined ? never : Promise.resolve({ value, done: false })
    }
    const leave = (): Promise<never> => {
      this.#ends.push(null)
      return never
    }
    return { [Symbol.asyncIterator]: () => ({ next, return: leave }) }
  }

  async *#forever(signal: AbortSignal): AsyncGenerator<number> {
    this.calls.push('forever')
    try {
      yield 0
      if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    } finally {
      this.#ends.push(null)
    }
  }
}

/** A queue of events. Each event goes to one waiter, in order, whether it was pushed before or after the waiter asked. */
class Signals<T> {
  readonly #happened: T[] = []
  readonly #waiting: ((value: T) => void)[] = []

  push(value: T): void {
    const waiting = this.#waiting.shift()
    if (waiting) waiting(value)
    else this.#happened.push(value)
  }

  next(): Promise<T> {
    return new Promise((resolve) => {
      const [value] = this.#happened.splice(0, 1)
      if (value === undefined) this.#waiting.push(resolve)
      else resolve(value)
    })
  }
}
