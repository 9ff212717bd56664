import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { SessionId } from '../../../shared/lib/ids.ts'
import { partsText } from '../../../shared/session/content.ts'
import type { SessionEvent, Trouble } from '../../../shared/session/events.ts'
import { limitTrouble } from '../../../shared/session/limit-trouble.ts'
import { messageAsTyped } from '../../../shared/session/person-message.ts'
import { whoseEvent } from '../../subagents/subagent-requests.ts'
import { callIdOf, createCallUpdates } from './call-updates.ts'
import type { Blobs } from './tool-call-content.ts'

/** What the editor can show. */
export interface ClientAbilities {
  /** Whether it can show the output of our own commands as a terminal (`_meta.terminal_output`). */
  readonly showsTerminals: boolean
  readonly showsNotices: boolean
}

export interface UpdateParts {
  readonly sessionId: SessionId
  readonly cwd: string
  readonly blobs: Blobs
  readonly abilities: ClientAbilities
}

export interface SessionUpdates {
  /** The updates for one event of the session, live or stored. Calls of subagents are included, under ids of their own. */
  of(event: SessionEvent): readonly SessionUpdate[]
}

type Speaker = 'agent_message_chunk' | 'agent_thought_chunk' | 'user_message_chunk'

/**
 * Translates a session's events for an editor. `isReplay`: the events are history, so the user's messages are included and texts are
 * complete.
 */
export function createSessionUpdates({ sessionId, cwd, blobs, abilities }: UpdateParts, isReplay: boolean): SessionUpdates {
  const calls = createCallUpdates({ cwd, blobs, showsTerminals: abilities.showsTerminals })
  /** Texts of one message have the same id. */
  let message = 0
  /** The part of the current answer that the editor already has. */
  let sent = ''
  const nextMessage = (): void => {
    message++
    sent = ''
  }
  const chunk = (sessionUpdate: Speaker, text: string): readonly SessionUpdate[] =>
    text === '' ? [] : [{ sessionUpdate, content: { type: 'text', text }, messageId: `${sessionUpdate}-${message}` }]
  const notice = (severity: 'warning' | 'error', { what, kept, todo }: Omit<Trouble, 'code'>): readonly SessionUpdate[] =>
    abilities.showsNotices ? [{ sessionUpdate: 'notice', severity, title: what, description: `${kept} ${todo}` }] : []

  const conversation = (event: SessionEvent): readonly SessionUpdate[] => {
    switch (event.kind) {
      case 'ASSISTANT_TEXT_DELTA':
        sent += event.text
        return chunk('agent_message_chunk', event.text)
      case 'THINKING_DELTA':
        return chunk('agent_thought_chunk', event.text)
      case 'ASSISTANT_TURN': {
        const text = partsText(event.parts)
        const thoughts = isReplay ? chunk('agent_thought_chunk', partsText(event.parts, 'thinking')) : []
        const updates = [...thoughts, ...chunk('agent_message_chunk', text.startsWith(sent) ? text.slice(sent.length) : '')]
        nextMessage()
        return updates
      }
      case 'RETRY_SCHEDULED':
        nextMessage()
        return notice('warning', { what: event.why, kept: 'The request is sent again automatically.', todo: 'Wait, or stop the turn.' })
      case 'USER_INPUT':
        nextMessage()
        return isReplay ? chunk('user_message_chunk', messageAsTyped(event)) : []
      case 'STEERING_INJECTED':
        nextMessage()
        return isReplay && event.by === 'person' ? chunk('user_message_chunk', messageAsTyped(event)) : []
      case 'TODOS_CHANGED':
        return [{ sessionUpdate: 'plan', entries: event.todos.map(({ content, priority, status }) => ({ content, priority, status })) }]
      case 'SESSION_CONFIGURED':
        return [{ sessionUpdate: 'current_mode_update', currentModeId: event.mode }]
      case 'WARNING':
        return notice('warning', event.trouble)
      case 'TURN_LIMIT':
        return notice('warning', limitTrouble(event))
      case 'ERROR':
        // A live turn reports this error as the failure of its request.
        return isReplay ? notice('error', event.error) : []
      default:
        return []
    }
  }
  return {
    of(given) {
      const { by, event } = whoseEvent(given, sessionId)
      const ofCall = 'toolCallId' in event ? calls.of(event, callIdOf(sessionId, by, event.toolCallId)) : []
      return by === sessionId ? [...conversation(event), ...ofCall] : ofCall
    },
  }
}
