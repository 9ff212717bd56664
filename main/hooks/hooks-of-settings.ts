import { z } from 'zod'
import { once } from '../../shared/lib/once.ts'
import { wordList } from '../../shared/lib/word-list.ts'
import { HOOK_EVENTS, type Hook, type HookEvent } from '../../shared/session/hooks.ts'
import { quotedLine } from '../../shared/tools/foreign-arguments/command-from-words.ts'
import { GEMINI_EVENTS } from './gemini-hooks.ts'
import { isCondition } from './hook-condition.ts'
import { isReadableMatcher } from './hook-matcher.ts'

/** A hook, or an entire file of hooks, that does not run, and the reason. */
export interface UnusedHook {
  readonly source: string
  readonly why: string
  /**
   * True if no step is less protected because the item does not run. Such an item is listed in the settings, but not reported to sessions.
   */
  readonly isQuiet?: true
}

export interface FoundHooks {
  readonly hooks: readonly Hook[]
  readonly unused: readonly UnusedHook[]
}

/** Claude Code's time limits: 10 minutes, or less for events during which the user waits. */
const LIMIT_MS: Readonly<Partial<Record<HookEvent, number>>> = { UserPromptSubmit: 30_000, SessionEnd: 1_500 }
const DEFAULT_LIMIT_MS = 600_000
const GEMINI_LIMIT_MS = 60_000
const PROMPT_LIMIT_MS = 30_000

/** The part of a settings file that is about hooks. */
export const settingsSchema = once(() =>
  z.looseObject({
    disableAllHooks: z.boolean().optional(),
    hooks: z.record(z.string(), z.array(z.looseObject({ matcher: z.string().optional(), hooks: z.array(z.unknown()) }))).optional(),
  }),
)

const entrySchema = once(() => {
  const common = {
    timeout: z.number().positive().optional(),
    if: z.string().optional(),
    onFailure: z.enum(['block', 'continue']).optional(),
  }
  return z.discriminatedUnion('type', [
    z.looseObject({
      type: z.literal('command'),
      ...common,
      command: z.string().min(1),
      args: z.array(z.string()).optional(),
      async: z.boolean().optional(),
    }),
    z.looseObject({
      type: z.literal('http'),
      ...common,
      url: z.url({ protocol: /^https?$/u }),
      headers: z.record(z.string(), z.string()).optional(),
      allowedEnvVars: z.array(z.string()).optional(),
    }),
    z.looseObject({ type: z.literal('prompt'), ...common, prompt: z.string().min(1), model: z.string().min(1).optional() }),
  ])
})
type Entry = z.infer<ReturnType<typeof entrySchema>>

/** Fields that have an effect, and fields that are only text for the screen. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set(
  wordList('type command args timeout if async onFailure statusMessage url headers allowedEnvVars prompt model name description'),
)

/** Events for which a hook may have a condition. The condition is compared with the call. */
const ABOUT_CALLS: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PostToolUse', 'PermissionRequest'])
/** Events whose hooks decide nothing, so that the session does not have to wait for them. */
const DECIDES_NOTHING: ReadonlySet<HookEvent> = new Set(['PostToolUse', 'SessionStart', 'SessionEnd', 'Notification'])

/** A file that may contain hooks. */
export interface HookFile {
  readonly path: string
  readonly shown: string
  readonly from: Hook['from']
  readonly dialect?: Hook['dialect']
}

/** The hooks of a file, and what of it does not run. */
export function hooksOf(settings: z.infer<ReturnType<typeof settingsSchema>>, { shown: source, from, dialect }: HookFile): FoundHooks {
  const hooks: Hook[] = []
  const unused: UnusedHook[] = []
  for (const [name, groups] of Object.entries(settings.hooks ?? {})) {
    const event = dialect === 'gemini' ? GEMINI_EVENTS.get(name) : HOOK_EVENTS.find((known) => known === name)
    if (event === undefined) {
      unused.push({ source, why: `There is no hook event ${name} here.` })
      continue
    }
    for (const { matcher = '', hooks: entries } of groups) {
      if (!isReadableMatcher(matcher))
        unused.push({ source, why: `The matcher “${matcher}” of ${event} is not a valid pattern, so its hooks never run.` })
      for (const entry of entries) {
        const read = entrySchema().safeParse(entry)
        const isInVain = read.data?.type === 'prompt' && (dialect !== undefined || NEEDS_NO_ANSWER.has(event))
        if (!read.success) unused.push({ source, why: whyUnread(event, entry, read.error) })
        else if (isInVain) unused.push({ source, why: notAsked(event, dialect) })
        else {
          hooks.push({ ...hookOf(event, read.data, dialect), matcher, source, from, ...(dialect && { dialect }) })
          unused.push(...unusedFields(event, read.data).map((why) => ({ source, why })))
        }
      }
    }
  }
  return { hooks, unused }
}

const RUNNING_TYPES: readonly unknown[] = ['command', 'http', 'prompt']

/** Why hooks of other types do not run. */
const NOT_RUN: ReadonlyMap<string, string> = new Map(
  Object.entries({
    agent: 'a subagent that works without a signature is not started. A hook of type “prompt” or “command” can decide the same.',
    mcp_tool: 'no tool of an MCP server is called without a signature. A hook of type “command” or “http” can do the same.',
  }),
)

/** Events for which a hook's answer has no effect, so that asking a model would cost money for nothing. */
const NEEDS_NO_ANSWER: ReadonlySet<HookEvent> = new Set(['SessionStart', 'SessionEnd', 'Notification'])

const notAsked = (event: HookEvent, dialect: Hook['dialect']): string =>
  `A hook of ${event} has the type “prompt”: ${dialect === undefined ? 'nothing depends on its answer, so no model is asked' : 'that agent has no such hooks'}.`

function whyUnread(event: HookEvent, entry: unknown, error: z.ZodError): string {
  const type = z.object({ type: z.string() }).safeParse(entry).data?.type ?? ''
  return RUNNING_TYPES.includes(type)
    ? `A hook of ${event} does not have the required form: ${z.prettifyError(error)}`
    : `A hook of ${event} has the type “${type}”: ${NOT_RUN.get(type) ?? 'only hooks of type “command”, “http” and “prompt” run here.'}`
}

function hookOf(event: HookEvent, entry: Entry, dialect: Hook['dialect']): Omit<Hook, 'matcher' | 'source' | 'from'> {
  const { timeout, if: condition, onFailure } = entry
  return {
    event,
    ...workOf(event, entry),
    ...(condition !== undefined && ABOUT_CALLS.has(event) && { condition }),
    ...(onFailure === 'block' && { failureBlocks: true }),
    timeoutMs: entry.type === 'prompt' && timeout === undefined ? PROMPT_LIMIT_MS : limitMs(event, timeout, dialect),
  }
}

function workOf(event: HookEvent, entry: Entry): Pick<Hook, 'command' | 'argv' | 'isAsync' | 'http' | 'prompt'> {
  switch (entry.type) {
    case 'http':
      return requestOf(entry)
    case 'prompt':
      return { command: shortened(entry.prompt), prompt: { text: entry.prompt, ...(entry.model !== undefined && { model: entry.model }) } }
    case 'command':
      return programOf(event, entry)
  }
}

/** Maximum number of characters of a prompt in lists and in the ledger. */
const MAX_SHOWN = 160

function shortened(prompt: string): string {
  const line = prompt.replaceAll(/\s+/gu, ' ').trim()
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN - 1).toWellFormed()}…`
}

/** Gemini's timeouts are in milliseconds. */
function limitMs(event: HookEvent, timeout: number | undefined, dialect: Hook['dialect']): number {
  if (dialect === 'gemini') return timeout ?? GEMINI_LIMIT_MS
  return timeout === undefined ? (LIMIT_MS[event] ?? DEFAULT_LIMIT_MS) : timeout * 1_000
}

function programOf(
  event: HookEvent,
  { command, args, async: isAsync }: Extract<Entry, { type: 'command' }>,
): Pick<Hook, 'command' | 'argv' | 'isAsync'> {
  return {
    command: args ? quotedLine([command, ...args]) : command,
    ...(args && { argv: [command, ...args] }),
    ...(isAsync && DECIDES_NOTHING.has(event) && { isAsync }),
  }
}

function requestOf({ url, headers, allowedEnvVars }: Extract<Entry, { type: 'http' }>): Pick<Hook, 'command' | 'http'> {
  return { command: url, http: { ...(headers && { headers }), ...(allowedEnvVars && { variables: allowedEnvVars }) } }
}

/** Fields of a hook that have no effect although the hook runs. */
function unusedFields(event: HookEvent, entry: Entry): readonly string[] {
  const { if: condition } = entry
  const { command } = workOf(event, entry)
  const isAsync = entry.type === 'command' && entry.async === true
  const unknown = Object.keys(entry).filter((name) => !KNOWN_FIELDS.has(name))
  const about = `of the ${event} hook “${command}”`
  return [
    ...(unknown.length > 0
      ? [`${unknown.map((name) => `“${name}”`).join(', ')} ${about}: not known here. The rest of the hook is used.`]
      : []),
    ...(condition !== undefined && !ABOUT_CALLS.has(event)
      ? [`“if” ${about}: this event has no call to compare with the condition. The hook always runs.`]
      : []),
    ...(condition !== undefined && !isCondition(condition)
      ? [`“if” ${about}: “${condition}” is not a permission rule. The hook runs for every call.`]
      : []),
    ...(isAsync && !DECIDES_NOTHING.has(event) ? [`“async” ${about}: this hook makes a decision, so the agent waits for it.`] : []),
  ]
}
