import { z } from 'zod'
import { SessionId } from '../lib/ids.ts'
import type { Trouble } from '../session/events.ts'
import type { Done } from './sessions.ts'
import { command, items, returns, stream } from '../wire/contract.ts'

const pattern = z.string().trim().min(1).max(2000)

/**
 * A rule about what needs the user's approval and what does not. `command`: one command of a line, such as `npm test`, or, with `:*` at the
 * end, every command that begins with these words. `path`: a pattern as in a `.gitignore`, relative to the project. `host`: a name, or
 * `*.name` for all names below it. `tool`: a tool of an MCP server, such as `mcp__server__tool`, or `mcp__server__*` for all tools of that
 * server. A deny rule beats an ask rule, and an ask rule beats an allow rule, even if the beaten rule is more specific.
 */
export const RuleDraft = z.object({
  answer: z.enum(['deny', 'ask', 'allow']),
  when: z.discriminatedUnion('kind', [
    /**
     * `inCopy`: the rule applies only to what the command changes while it runs in a copy. Deleting still needs approval. `way`: the rule
     * applies only to this way of running the command. The command then runs at once, without a copy first.
     */
    z.object({ kind: z.literal('command'), pattern, inCopy: z.literal(true).optional(), way: z.enum(['confined', 'open']).optional() }),
    z.object({ kind: z.literal('path'), pattern }),
    z.object({ kind: z.literal('host'), pattern }),
    z.object({ kind: z.literal('tool'), pattern }),
  ]),
  where: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('always') }),
    /** Real path. */
    z.object({ kind: z.literal('project'), folder: z.string().min(1) }),
    z.object({ kind: z.literal('session'), sessionId: SessionId }),
  ]),
})
export type RuleDraft = z.infer<typeof RuleDraft>

export const Rule = RuleDraft.extend({
  id: z.string().min(1),
  origin: z.enum(['you', 'claude-code', 'codex']),
  isOn: z.boolean(),
  /** Ms since 1970. */
  addedAt: z.number(),
  /** How often the rule decided. */
  uses: z.number().int(),
  lastUsedAt: z.number().nullable(),
})
export type Rule = z.infer<typeof Rule>

/** The rules in a project's own file, in the version that the user trusted with the folder. */
export interface ProjectRules {
  /** Real path. */
  readonly folder: string
  readonly rules: readonly RuleDraft[]
  /** Patterns of the file's rules that would allow something. They are ignored, because a project cannot grant itself permissions. */
  readonly ignored: readonly string[]
  /** Why the file cannot be used; every step with effects then needs a signature in this project. Null if it can be used. */
  readonly unusable: string | null
}

export interface RulesState {
  readonly rules: readonly Rule[]
  /** Why the rules file cannot be used. Until it is repaired, every step with effects needs your signature. */
  readonly trouble: Trouble | null
  /** The rules of the trusted folders that have sessions. */
  readonly projects: readonly ProjectRules[]
}

/**
 * Which of the newest commands of all sessions a set of draft rules would have affected. All drafts of the set allow, all ask, or all deny.
 */
export interface BackTest {
  /** Number of commands that were examined. */
  readonly commands: number
  /** The commands that the rules match, newest first, each listed once. */
  readonly fits: readonly { readonly command: string; readonly times: number; readonly refused: number }[]
  /** Why the history could not be read. If absent, it was read. */
  readonly unreadable?: Trouble
}

/** The rules that another agent's settings would become. */
export interface ImportPreview {
  readonly files: readonly string[]
  readonly rules: readonly RuleDraft[]
  /** Entries that are left out, and why. */
  readonly skipped: readonly { readonly entry: string; readonly why: string }[]
}

const source = z.object({ from: z.enum(['claude-code', 'codex']), folder: z.string().nullable() })

export const rulesApi = {
  watch: stream({ input: z.object({}), item: items<RulesState>() }),
  backTest: command({ input: z.object({ rules: z.array(RuleDraft).min(1) }), output: returns<BackTest>() }),
  add: command({
    input: z.object({ rules: z.array(RuleDraft).min(1).max(500), origin: Rule.shape.origin }),
    output: returns<Done>(),
  }),
  switch: command({ input: z.object({ id: z.string(), isOn: z.boolean() }), output: returns<Done>() }),
  remove: command({ input: z.object({ id: z.string() }), output: returns<Done>() }),
  /** Reads another agent's rules for the user and, if a folder is given, for that project. Changes nothing. */
  importPreview: command({ input: source, output: returns<ImportPreview>() }),
}
