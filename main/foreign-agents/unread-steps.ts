import type { ReadAt } from '../../shared/tools/built-in/agent-step.ts'

/** The steps whose changes were not read yet, and what the agent waits for until they are. Steps are compared by identity. */
export interface UnreadSteps<Step extends object> {
  /**
   * Call this before a model request of the agent is passed on. Resolves when the changes of all steps that have ended are read, except
   * those that wait for a step that still runs.
   */
  beforeRequest(): Promise<void>
  /** Call this when a model request is passed on. */
  requested(): void
  /**
   * The step to which changes belong that are found at a model request: the only step that has ended since the last request, or else the
   * only running step. Null if it is not known, for example because the agent has not reported the step yet.
   */
  ownerOfChanges(): Step | null
  /** Call this when the agent requests a permission. `answer`: resolves when the request may be answered. */
  asked(answer: Promise<unknown>): Promise<void>
  /** Call this when the agent has ended its turn. */
  over(): void
  /** What keeps the agent from going on while this step's changes are read. Call this when the step has ended. */
  readAt(step: Step): ReadAt
  /** Call this when the changes of the step have been read. */
  read(step: Step): void
}

interface Own<Step> {
  /** Call this when the agent begins a step. */
  add(step: Step): void
  end(step: Step): void
  /** Whether changes were already read for this step at a model request. The agent has gone on since. */
  hasGoneOn(step: Step): boolean
  forget(): void
}

interface Unread {
  /** The number of the step, from 1, in the order in which the agent began them. */
  readonly at: number
  readonly read: Promise<void>
  readonly resolveRead: () => void
  hasEnded: boolean
  /** Whether a reading at a model request may contain its changes. */
  wasReadAtRequest: boolean
  /** The number of requests that had been passed on when it ended. */
  requestsBefore: number
}

export function createUnreadSteps<Step extends object>(): UnreadSteps<Step> & Own<Step> {
  /** In the order in which the agent began them. */
  const unread = new Map<Step, Unread>()
  let begun = 0
  let requests = 0
  /** The numbers of waiting permission requests and model requests. */
  let asking = 0
  let requesting = 0
  let isOver = false
  return {
    add(step) {
      const { promise, resolve } = Promise.withResolvers<void>()
      unread.set(step, { at: ++begun, read: promise, resolveRead: resolve, hasEnded: false, wasReadAtRequest: false, requestsBefore: 0 })
    },
    end(step) {
      const found = unread.get(step)
      if (!found) return
      found.hasEnded = true
      found.requestsBefore = requests
    },
    hasGoneOn: (step) => unread.get(step)?.wasReadAtRequest ?? false,
    async asked(answer) {
      asking++
      await answer
      asking--
    },
    async beforeRequest() {
      requesting++
      for (let [first] = unread.values(); first?.hasEnded; [first] = unread.values()) await first.read
      requesting--
    },
    requested: () => void requests++,
    ownerOfChanges() {
      const waiting = [...unread].filter(([, { wasReadAtRequest }]) => !wasReadAtRequest)
      const ended = waiting.filter(([, { hasEnded }]) => hasEnded)
      const [owner, ...others] = ended.length > 0 ? ended : waiting
      for (const [, one] of ended) one.wasReadAtRequest = true
      if (owner === undefined || others.length > 0) return null
      owner[1].wasReadAtRequest = true
      return owner[0]
    },
    over: () => void (isOver = true),
    readAt(step) {
      const found = unread.get(step)
      if (asking > 0) return 'permission'
      if (requesting > 0) return 'request'
      if (isOver) return 'end'
      const hasPassedNone = found?.at === begun && requests > 0 && found.requestsBefore === requests
      return found?.wasReadAtRequest || hasPassedNone ? 'request' : 'report'
    },
    read(step) {
      unread.get(step)?.resolveRead()
      unread.delete(step)
    },
    forget() {
      for (const { resolveRead } of unread.values()) resolveRead()
      unread.clear()
      requests = 0
      isOver = false
    },
  }
}
