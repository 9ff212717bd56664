import { z } from 'zod'
import { callLine, textArgument } from '../spec/call-line.ts'
import { toolSpec } from '../spec/tool-spec.ts'

/** The kinds of steps in the Agent Client Protocol. */
export const AGENT_CALL_KINDS = ['read', 'edit', 'delete', 'move', 'search', 'execute', 'think', 'fetch', 'switch_mode', 'other'] as const

/**
 * What kept the agent from going on while the changes of a step were read: its request for permission, its next request to its model, which
 * waits in the proxy, or the end of its turn. `report`: nothing did, so the changes may include some of its next step.
 */
const READ_AT = ['permission', 'request', 'end', 'report'] as const
export type ReadAt = (typeof READ_AT)[number]

/** A host that was asked for since the step before. */
const Host = z.object({ host: z.string(), answer: z.enum(['own', 'allowed', 'refused']) })

/** Records a step of a third-party agent as the agent describes it. Only Countersign calls this tool; it is never offered to a model. */
export const agentStepSpec = toolSpec({
  name: 'agent_step',
  verb: 'Step',
  description: 'A step of another agent that works in this session’s layer.',
  input: z.object({ title: z.string(), kind: z.string(), input: z.json().optional() }),
  details: z.object({ agent: z.string(), kind: z.string(), readAt: z.enum(READ_AT).optional(), hosts: z.array(Host).optional() }),
  line(call) {
    const title = textArgument(call, 'title').replaceAll('`', '')
    // Most agents begin their titles with a verb of their own.
    const [, verb, rest] = OWN_VERB.exec(title) ?? []
    return verb && rest ? callLine(verb, rest) : callLine(VERBS[textArgument(call, 'kind')] ?? 'Step', title)
  },
})

const OWN_VERB = /^(Read|Write|Edit|Create|Update|Delete|Move|Run|Search|Find|Fetch|List) (\S.*)$/su

const VERBS: Readonly<Record<string, string>> = {
  read: 'Read',
  edit: 'Edit',
  delete: 'Delete',
  move: 'Move',
  search: 'Search',
  execute: 'Run',
  think: 'Think',
  fetch: 'Fetch',
}
