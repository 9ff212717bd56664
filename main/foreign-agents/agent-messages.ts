import { messageText, type Turn } from '../../shared/session/conversation-turns.ts'
import type { AgentPrompt } from '../agent/ports/foreign-agent.ts'

const GO_ON: AgentPrompt = { text: 'Go on with what you were doing.', pictures: [] }

/** The turns since the last complete answer. */
const turnsSinceAnswer = (turns: readonly Turn[]): readonly Turn[] =>
  turns.slice(turns.findLastIndex(({ kind }) => kind === 'assistant') + 1)

/** The user's messages among these turns. */
function messagesIn(turns: readonly Turn[]): readonly AgentPrompt[] {
  const contents = turns.flatMap((one) => (one.kind === 'user' || (one.kind === 'steering' && one.by !== 'loop') ? [one.content] : []))
  return contents.map((content) => ({
    text: messageText(content),
    pictures: typeof content === 'string' ? [] : content.filter((part) => part.kind === 'image'),
  }))
}

/** Countersign's own notes to the agent in these turns, for example about an undo. */
function notesIn(turns: readonly Turn[]): readonly AgentPrompt[] {
  const notes = turns.flatMap((one) => (one.kind === 'steering' && one.by === 'loop' ? [messageText(one.content)] : []))
  return notes.map((note) => ({ text: `[${note}]`, pictures: [] }))
}

/** Finds the messages and notes that have not been sent to the agent. Call `areSent` after sending them. */
export function createMessages() {
  let sent: readonly Turn[] = []
  return (turns: readonly Turn[]) => {
    const fresh = turnsSinceAnswer(turns).filter((one) => !sent.includes(one))
    const undone = sent.filter((one) => !turns.includes(one))
    return {
      messages: [...disregarding(messagesIn(undone)), ...messagesIn(fresh)],
      notes: notesIn(fresh),
      areSent: () => void (sent = [...sent.filter((one) => turns.includes(one)), ...fresh]),
    }
  }
}

/** Tells the agent which messages to disregard when the user has gone back, because the agent cannot forget them. */
function disregarding(undone: readonly AgentPrompt[]): readonly AgentPrompt[] {
  if (undone.length === 0) return []
  const quoted = undone.map(({ text }) => `> ${text.slice(0, QUOTED_CHARS).replaceAll('\n', '\n> ')}`)
  return [
    {
      text: [
        '[I went back to an earlier point of our conversation. Disregard these messages and what followed. Read a file again before you rely on its content.',
        ...quoted,
        ']',
      ].join('\n'),
      pictures: [],
    },
  ]
}

/** Maximum number of characters of a message that are quoted. */
const QUOTED_CHARS = 200

/** The prompt for one turn: Countersign's notes, then the user's messages. Without messages, it asks the agent to continue. */
export function messageFor(notes: readonly AgentPrompt[], messages: readonly AgentPrompt[]): AgentPrompt {
  const all = [...notes, ...(messages.length === 0 ? [GO_ON] : messages)]
  return { text: all.map(({ text }) => text).join('\n\n'), pictures: all.flatMap(({ pictures }) => pictures) }
}
