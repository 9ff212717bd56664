import { wordList } from '../../shared/lib/word-list.ts'
import { join } from 'node:path'
import { z } from 'zod'
import { once } from '../../shared/lib/once.ts'
import { HOOK_EVENTS, type Hook, type HookEvent } from '../../shared/session/hooks.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { quotedLine } from '../../shared/tools/foreign-arguments/command-from-words.ts'
import { PROJECT_CONFIG_PATHS } from '../prompt/project-config-paths.ts'
import { isCondition } from './hook-condition.ts'
import { GEMINI_EVENTS } from './gemini-hooks.ts'
import { isReadableMatcher } from './hook-matcher.ts'

export interface HookSources {
  readonly env: ExecutionEnvironment
  /** Real path of the trusted project. */
  readonly project: string
  readonly home: string
  readonly dataFolder: string
}

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

const MAX_BYTES = 1024 * 1024

/** Claude Code's time limits: 10 minutes, or less for events during which the user waits. */
const LIMIT_MS: Readonly<Partial<Record<HookEvent, number>>> = { UserPromptSubmit: 30_000, SessionEnd: 1_500 }
const DEFAULT_LIMIT_MS = 600_000
const GEMINI_LIMIT_MS = 60_000
const PROMPT_LIMIT_MS = 30_000

const settingsSchema = once(() =>
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

interface HookFile {
  readonly path: string
  readonly shown: string
  readonly from: Hook['from']
  readonly dialect?: Hook['dialect']
}

/**
 * All hooks of the user and of a project. Identical hooks from several files count once. If a file cannot be read, it is listed and its
 * hooks do not run. A project can switch off its own hooks, but not the user's.
 */
export async function findHooks(sources: HookSources): Promise<FoundHooks> {
  const files = await Promise.all(filesOf(sources).map((file) => readHookFile(sources.env, file)))
  if (files.some(({ isOff, from }) => isOff && from === 'person')) return { hooks: [], unused: [] }
  const isProjectOff = files.some(({ isOff, from }) => isOff && from === 'project')
  const hooks = new Map<string, Hook>()
  for (const hook of files.flatMap((file) => file.hooks)) {
    if (isProjectOff && hook.from === 'project') continue
    const { event, matcher, command, condition, http, prompt, failureBlocks } = hook
    const key = JSON.stringify([event, matcher, command, condition, http, prompt, failureBlocks])
    if (!hooks.has(key)) hooks.set(key, hook)
  }
  return { hooks: [...hooks.values()], unused: files.flatMap(({ unused }) => unused) }
}

function filesOf({ project, home, dataFolder }: HookSources): readonly HookFile[] {
  return [
    { path: join(dataFolder, 'hooks.json'), shown: 'hooks.json in the data folder', from: 'person' },
    { path: join(home, '.claude/settings.json'), shown: '~/.claude/settings.json', from: 'person' },
    { path: join(home, '.codex/hooks.json'), shown: '~/.codex/hooks.json', from: 'person', dialect: 'codex' },
    { path: join(home, '.gemini/settings.json'), shown: '~/.gemini/settings.json', from: 'person', dialect: 'gemini' },
    ...PROJECT_CONFIG_PATHS.hooks.map((path) => ({
      path: join(project, path),
      shown: path,
      from: 'project' as const,
      ...dialectOf(path),
    })),
  ]
}

const dialectOf = (path: string): Pick<HookFile, 'dialect'> =>
  path.startsWith('.codex/') ? { dialect: 'codex' } : path.startsWith('.gemini/') ? { dialect: 'gemini' } : {}

type ReadFile = FoundHooks & Pick<HookFile, 'from'> & { readonly isOff: boolean }

async function readHookFile(env: ExecutionEnvironment, file: HookFile): Promise<ReadFile> {
  const none = (why: string | null): ReadFile => ({
    hooks: [],
    unused: why === null ? [] : [{ source: file.shown, why }],
    from: file.from,
    isOff: false,
  })
  const stat = await env.stat(file.path).catch(() => null)
  if (stat === null) return none(null)
  let json: unknown
  try {
    json = JSON.parse(
      Buffer.from(await env.readBytes(file.path, { maxBytes: MAX_BYTES }))
        .toString('utf8')
        .replace(/^\uFEFF/u, ''),
    )
  } catch (error) {
    return none(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  const parsed = settingsSchema().safeParse(file.dialect === 'gemini' ? withoutDisabled(json) : json)
  if (!parsed.success) return none(`“hooks” does not have the required form: ${z.prettifyError(parsed.error)}`)
  const found = hooksOf(parsed.data, file)
  return {
    hooks: found.hooks,
    unused: [...found.unused, ...(file.dialect === 'gemini' ? [] : otherSettings(parsed.data, file))],
    from: file.from,
    isOff: parsed.data.disableAllHooks === true,
  }
}

const geminiSchema = once(() =>
  z.looseObject({
    hooks: z
      .looseObject({ disabled: z.array(z.string()).optional(), enabled: z.unknown().optional(), notifications: z.unknown().optional() })
      .optional(),
    hooksConfig: z.looseObject({ enabled: z.boolean().optional(), disabled: z.array(z.string()).optional() }).optional(),
  }),
)

/** Gemini's settings, converted to the format of Claude Code's, without the hooks that the settings disable by name or command. */
function withoutDisabled(json: unknown): unknown {
  const read = geminiSchema().safeParse(json)
  if (!read.success) return json
  const { hooks: { disabled = [], enabled, notifications: _, ...events } = {}, hooksConfig } = read.data
  const off = new Set([...disabled, ...(hooksConfig?.disabled ?? [])])
  const entry = z.looseObject({ name: z.string().optional(), command: z.string().optional() })
  const isOn = (hook: unknown): boolean => {
    const { name = '', command = '' } = entry.safeParse(hook).data ?? {}
    return !off.has(name) && !off.has(command)
  }
  const group = z.looseObject({ hooks: z.array(z.unknown()) })
  const groups = z.array(group)
  const kept = Object.entries(events).map(([event, value]): readonly [string, unknown] => {
    const found = groups.safeParse(value)
    return [event, found.success ? found.data.map((one) => ({ ...one, hooks: one.hooks.filter(isOn) })) : value]
  })
  const isOff = enabled === false || hooksConfig?.enabled === false
  return { hooks: isOff ? {} : Object.fromEntries<unknown>(kept) }
}

/** What to use in Countersign instead of a setting of Claude Code. */
const COUNTERPARTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    model: 'choose the model in the composer, or in Settings > New sessions.',
    effortLevel: 'choose the effort in the composer, or in Settings > New sessions.',
    statusLine: 'the desk shows the model, the context and the cost.',
    outputStyle: 'describe the style of answers in your instructions (Settings > New sessions) or in AGENTS.md.',
    enabledPlugins: 'plugins are not loaded. Commands, agents, skills and hooks of the folder’s own .claude are.',
    extraKnownMarketplaces: 'plugins are not loaded.',
    apiKeyHelper: 'no program is run to get a key. Enter the key in Settings > Providers and keys.',
    enableAllProjectMcpServers: 'servers of .mcp.json start once the folder is trusted, and their tools wait for your approval.',
    enabledMcpjsonServers: 'servers of .mcp.json start once the folder is trusted, and their tools wait for your approval.',
    disabledMcpjsonServers: 'servers of .mcp.json start once the folder is trusted; leave their tools unapproved.',
    sandbox: 'commands run in a copy of the folder wherever that is possible.',
  }),
)
const NO_SETTINGS: ReadonlySet<string> = new Set(['$schema', 'hooks', 'disableAllHooks', 'permissions', 'env'])

/** Settings of Claude Code that have no effect here. Those without a counterpart share one entry. */
function quietSettings(settings: Readonly<Record<string, unknown>>, source: string): readonly UnusedHook[] {
  const { permissions } = settings
  const own = Object.keys(settings).filter((name) => !NO_SETTINGS.has(name))
  const known = own.flatMap((name) => (COUNTERPARTS.has(name) ? [`“${name}”: ${COUNTERPARTS.get(name)}`] : []))
  const others = own.filter((name) => !COUNTERPARTS.has(name))
  const has = (name: string): boolean => typeof permissions === 'object' && permissions !== null && name in permissions
  return [
    ...known,
    ...(has('defaultMode') ? ['“permissions.defaultMode”: choose the mode in the composer, or in Settings > New sessions.'] : []),
    ...(has('additionalDirectories')
      ? ['“permissions.additionalDirectories”: files outside the folder need a signature, unless a rule allows them.']
      : []),
    ...(others.length === 0 ? [] : [`${others.map((name) => `“${name}”`).join(', ')}: no counterpart in Countersign.`]),
  ].map((why) => ({ source, why, isQuiet: true }))
}

/** Other settings in the file that have no effect here and that a user of Claude Code would miss. */
function otherSettings(settings: Readonly<Record<string, unknown>>, { shown: source, dialect }: HookFile): readonly UnusedHook[] {
  const { permissions, env } = settings
  const lists =
    typeof permissions === 'object' && permissions !== null
      ? Object.entries(permissions).filter(([answer]) => answer !== 'additionalDirectories')
      : []
  const rules = lists.flatMap(([answer, given]) => (Array.isArray(given) && given.length > 0 ? [`${given.length} ${answer}`] : []))
  const variables = typeof env === 'object' && env !== null ? Object.keys(env) : []
  return [
    ...(rules.length > 0
      ? [{ source, why: `its permissions (${rules.join(', ')}), until you import them on the settings page under Rules.` }]
      : []),
    ...(variables.length > 0
      ? [{ source, why: `its variables (${variables.join(', ')}). A SessionStart hook can set them through CLAUDE_ENV_FILE.` }]
      : []),
    ...(dialect === undefined ? quietSettings(settings, source) : []),
  ]
}

function hooksOf(settings: z.infer<ReturnType<typeof settingsSchema>>, { shown: source, from, dialect }: HookFile): FoundHooks {
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
