import type { AgentType } from '../ports/subagents.ts'

const REPORT =
  'Your last answer is all that the one who sent you gets: put every finding into it, with paths and line numbers, and say plainly what you could not do.'

/** The kinds of subagents that are always there. */
export const AGENT_TYPES: readonly AgentType[] = [
  {
    name: 'explore',
    description: 'Finds out how something works or where it is. Reads and searches only.',
    prompt: `You explore for another agent. You can read and search, nothing else. Look widely, then closely, and answer the question. ${REPORT}`,
    readsOnly: true,
  },
  {
    name: 'plan',
    description: 'Works out how a change should be made, step by step. Reads and searches only.',
    prompt: `You plan for another agent. You can read and search, nothing else. Give the steps in order, each with the files it touches and how it is checked. ${REPORT}`,
    readsOnly: true,
    answer: 'plan',
  },
  {
    name: 'code',
    description: 'Makes a change that can be described completely. Its edits and commands are signed like yours.',
    prompt: `You make one change for another agent, exactly as described, and check it. ${REPORT}`,
    readsOnly: false,
  },
  {
    name: 'test',
    description: 'Writes or runs tests and says what they show. Its edits and commands are signed like yours.',
    prompt: `You write or run tests for another agent, and report what they show. Change nothing but tests unless you are told to. ${REPORT}`,
    readsOnly: false,
  },
]

/** Tools without effects inside the folder, by canonical name: all that a subagent gets that only reads. */
export const READING_TOOLS: ReadonlySet<string> = new Set([
  ...['read_file', 'read_many_files', 'grep', 'glob', 'list_dir', 'notebook_read', 'read_output', 'todo_write', 'todo_read'],
])
