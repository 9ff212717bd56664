import { AsyncQueue } from '../../shared/lib/async-queue.ts'
import type { Done } from '../../shared/api/sessions.ts'
import type { AnyEnvelope } from '../../shared/session/events.ts'
import { limitTrouble } from '../../shared/session/limit-trouble.ts'
import type { Session } from '../agent/session.ts'
import type { App } from '../compose/app.ts'
import { answerToNewestMessage } from '../sessions/answer-to-newest-message.ts'
import type { OpenedSession } from '../sessions/opened-session.ts'
import { createPictures } from '../sessions/attached-pictures.ts'
import { AgentError, badOption, valueOf } from './agent-error.ts'
import type { AgentSession, ApprovalHandler, Message, TurnResult } from './agent-interface.ts'
import { hearRequests } from './waiting-requests.ts'
import { configured, type SessionLimits } from './session-config.ts'
import { type StampedEvent, stampedEvent } from './session-events.ts'
import { seedTurn } from './conversation-types.ts'

export interface AgentSessionParts {
  readonly app: App
  readonly opened: OpenedSession
  readonly handler: ApprovalHandler | undefined
  /** The configuration that all sessions of the agent share. */
  readonly limits: SessionLimits
  /** Aborted when the agent closes. */
  readonly signal: AbortSignal
}

export function agentSession({ app, opened, handler, limits, signal }: AgentSessionParts): AgentSession {
  const { sessionId, record } = opened
  const running = runningHere(opened)
  const ended = new AbortController()
  const over = AbortSignal.any([signal, ended.signal])
  const requests = hearRequests({ session: opened, open: app.sessions.open, signal: over }, handler)
  const troubles = hearTroubles(opened)
  const listening = new Set<AsyncQueue<AnyEnvelope>>()
  over.addEventListener('abort', () => listening.forEach((queue) => queue.end()), { once: true })

  const settled = async (done: Done): Promise<TurnResult> => {
    if (!done.ok) throw new AgentError(done.trouble)
    const answered = new AbortController()
    await Promise.race([running.idle(), requests.untilPaused(AbortSignal.any([over, answered.signal]))])
    answered.abort()
    const state = record.state()
    const isWaiting = state.run === 'PROCESSING' || state.run === 'AWAITING_INPUT'
    const how = isWaiting ? (over.aborted ? 'interrupted' : 'waiting') : (state.ended ?? 'interrupted')
    return { ended: how, text: answerToNewestMessage(record), error: how === 'completed' || how === 'waiting' ? null : troubles() }
  }
  const pictures = createPictures(app.store.blobs)
  const said = async (message: Message): Promise<TurnResult> => {
    if (typeof message === 'string') return settled(running.submit(checkedText(message, over)))
    const images = checkedImages(message?.images)
    return settled(running.submit({ text: checkedText(message?.text, over), pictures: images.map((one) => valueOf(pictures.keep(one))) }))
  }
  const must = (done: Done): void => {
    if (!done.ok) throw new AgentError(done.trouble)
  }
  const end = async (reason: 'closed' | 'aborted'): Promise<void> => {
    await running.stop()
    if (reason === 'aborted') await running.close('aborted')
    await app.sessions.close(sessionId)
    ended.abort()
  }
  return {
    id: sessionId,
    get state() {
      return record.state().run
    },
    submit: said,
    followUp: said,
    steer: (text) => must(running.steer(checkedText(text, over))),
    stop: () => running.stop(),
    resume: async () => settled(running.resume()),
    requests: requests.list,
    async answer(id, answer) {
      await requests.answer(id, answer)
      return settled({ ok: true })
    },
    configure: (change) => must(running.configure(configured(change))),
    async compact(instructions = '') {
      return settled(running.compact(instructions))
    },
    undoCompaction: () => must(running.undoCompaction()),
    config() {
      const { provider, model, effort } = record.state().config
      return { ...limits, provider, model, ...(effort !== null && { reasoningEffort: effort }) }
    },
    history: () => record.memory().transcript.all().map(seedTurn),
    events({ history = true } = {}) {
      const queue: AsyncQueue<AnyEnvelope> = new AsyncQueue(() => {
        subscription.dispose()
        listening.delete(queue)
      })
      if (history) for (const envelope of record.read()) queue.push(envelope)
      const subscription = record.subscribe((envelope) => queue.push(envelope))
      listening.add(queue)
      if (over.aborted) queue.end()
      return stamped(queue, app)
    },
    abort: () => end('aborted'),
    close: () => end('closed'),
  }
}

async function* stamped(queue: AsyncIterable<AnyEnvelope>, { store }: App): AsyncGenerator<StampedEvent> {
  for await (const envelope of queue) yield stampedEvent(envelope, store.blobs.get)
}

function checkedText(text: unknown, over: AbortSignal): string {
  if (over.aborted) throw badOption('The session is closed.', 'Open it again with agent.openSession(id).')
  if (typeof text === 'string' && text.trim() !== '') return text
  throw badOption('The message is empty.', 'Pass the text of the message as a string.')
}

function checkedImages(images: unknown): readonly Uint8Array[] {
  if (Array.isArray(images) && images.every((one) => one instanceof Uint8Array)) return images
  throw badOption(
    'The pictures of a message must be a list of Uint8Array values.',
    'Pass images as the bytes of PNG, JPEG, GIF or WebP files.',
  )
}

function runningHere(opened: OpenedSession): Session {
  const running = opened.running()
  if (running) return running
  const obstacle = opened.obstacle()
  if (!obstacle) throw new Error('This process runs the session.')
  throw new AgentError(obstacle)
}

/** Returns a function that tells why the newest turn ended: the error or limit in its events, or null if they contain neither. */
function hearTroubles({ record }: OpenedSession): () => AgentError | null {
  let trouble: AgentError | null = null
  record.subscribe(({ event }) => {
    switch (event.kind) {
      case 'USER_INPUT':
      case 'RESUME_REQUESTED':
      case 'COMPACTION_REQUESTED':
        trouble = null
        return
      case 'ERROR':
        trouble = new AgentError(event.error)
        return
      case 'TURN_LIMIT':
        trouble = new AgentError(limitTrouble(event))
        return
      default:
    }
  })
  return () => trouble
}
