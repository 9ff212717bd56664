import { join } from 'node:path'
import { z } from 'zod'
import { once } from '../../shared/lib/once.ts'
import { HOOK_EVENTS, type Hook, type HookEvent } from '../../shared/session/hooks.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { quotedLine } from '../../shared/tools/arguments/command-line.ts'
import { PROJECT_FILES } from '../prompt/project-files.ts'
import { isCondition } from './condition.ts'
import { isReadable } from './matcher.ts'

export interface HookSources {
  readonly env: ExecutionEnvironment
  /** Real path of the trusted project. */
  readonly project: string
  readonly home: string
  readonly dataFolder: string
}

/** A hook, or a whole file, that does not run, and why. */
export interface UnusedHook {
  readonly source: string
  readonly why: string
}

export interface FoundHooks {
  readonly hooks: readonly Hook[]
  readonly unused: readonly UnusedHook[]
}

const MAX_BYTES = 1024 * 1024

/** Limits of Claude Code: 10 minutes, less where somebody waits. */
const LIMIT_MS: Readonly<Partial<Record<HookEvent, number>>> = { UserPromptSubmit: 30_000, SessionEnd: 1_500 }
const DEFAULT_LIMIT_MS = 600_000

const settingsSchema = once(() =>
  z.looseObject({
    disableAllHooks: z.boolean().optional(),
    hooks: z.record(z.string(), z.array(z.looseObject({ matcher: z.string().optional(), hooks: z.array(z.unknown()) }))).optional(),
  }),
)

const commandSchema = once(() =>
  z.looseObject({
    type: z.literal('command'),
    command: z.string().min(1),
    args: z.array(z.string()).optional(),
    timeout: z.number().positive().optional(),
    if: z.string().optional(),
    async: z.boolean().optional(),
    onFailure: z.enum(['block', 'continue']).optional(),
  }),
)
type CommandEntry = z.infer<ReturnType<typeof commandSchema>>

/** Fields that count, and one that is only text for a screen. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set(['type', 'command', 'args', 'timeout', 'if', 'async', 'onFailure', 'statusMessage'])

/** Events with a condition: it is compared with a call. */
const ABOUT_CALLS: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PostToolUse', 'PermissionRequest'])
/** Events whose hooks decide nothing, so that nothing has to wait for them. */
const DECIDES_NOTHING: ReadonlySet<HookEvent> = new Set(['PostToolUse', 'SessionStart', 'SessionEnd', 'Notification'])

interface HookFile {
  readonly path: string
  readonly shown: string
  readonly from: Hook['from']
  readonly dialect?: Hook['dialect']
}

/**
 * All hooks of a person and a project. Equal ones of several files count once. A file that cannot be read is listed, and its hooks do not run.
 * A project can switch off its own hooks, but not the person's.
 */
export async function findHooks(sources: HookSources): Promise<FoundHooks> {
  const files = await Promise.all(filesOf(sources).map((file) => readHookFile(sources.env, file)))
  if (files.some(({ isOff, from }) => isOff && from === 'person')) return { hooks: [], unused: [] }
  const isProjectOff = files.some(({ isOff, from }) => isOff && from === 'project')
  const hooks = new Map<string, Hook>()
  for (const hook of files.flatMap((file) => file.hooks)) {
    if (isProjectOff && hook.from === 'project') continue
    const key = JSON.stringify([hook.event, hook.matcher, hook.command, hook.condition])
    if (!hooks.has(key)) hooks.set(key, hook)
  }
  return { hooks: [...hooks.values()], unused: files.flatMap(({ unused }) => unused) }
}

function filesOf({ project, home, dataFolder }: HookSources): readonly HookFile[] {
  return [
    { path: join(dataFolder, 'hooks.json'), shown: 'hooks.json in the data folder', from: 'person' },
    { path: join(home, '.claude/settings.json'), shown: '~/.claude/settings.json', from: 'person' },
    { path: join(home, '.codex/hooks.json'), shown: '~/.codex/hooks.json', from: 'person', dialect: 'codex' },
    ...PROJECT_FILES.hooks.map((path) => ({
      ...{ path: join(project, path), shown: path, from: 'project' as const },
      ...(path.startsWith('.codex/') && { dialect: 'codex' as const }),
    })),
  ]
}

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
  const parsed = settingsSchema().safeParse(json)
  if (!parsed.success) return none(`“hooks” does not have the form that hooks have: ${z.prettifyError(parsed.error)}`)
  const found = hooksOf(parsed.data, file)
  return {
    hooks: found.hooks,
    unused: [...found.unused, ...otherSettings(parsed.data, file)],
    from: file.from,
    isOff: parsed.data.disableAllHooks === true,
  }
}

/** Settings beside the hooks that somebody who comes from Claude Code would miss. */
function otherSettings({ permissions, env }: Readonly<Record<string, unknown>>, { shown: source }: HookFile): readonly UnusedHook[] {
  const lists = typeof permissions === 'object' && permissions !== null ? Object.entries(permissions) : []
  const rules = lists.flatMap(([answer, given]) => (Array.isArray(given) && given.length > 0 ? [`${given.length} ${answer}`] : []))
  const variables = typeof env === 'object' && env !== null ? Object.keys(env) : []
  return [
    ...(rules.length > 0
      ? [{ source, why: `its permissions (${rules.join(', ')}), until you import them on the settings page under Rules.` }]
      : []),
    ...(variables.length > 0
      ? [{ source, why: `its variables (${variables.join(', ')}). A SessionStart hook can set them by CLAUDE_ENV_FILE.` }]
      : []),
  ]
}

function hooksOf(settings: z.infer<ReturnType<typeof settingsSchema>>, { shown: source, from, dialect }: HookFile): FoundHooks {
  const hooks: Hook[] = []
  const unused: UnusedHook[] = []
  for (const [name, groups] of Object.entries(settings.hooks ?? {})) {
    const event = HOOK_EVENTS.find((known) => known === name)
    if (event === undefined) {
      unused.push({ source, why: `There is no moment ${name} here.` })
      continue
    }
    for (const { matcher = '', hooks: entries } of groups) {
      if (!isReadable(matcher))
        unused.push({ source, why: `The matcher “${matcher}” of ${event} is not a pattern, so its hooks never run.` })
      for (const entry of entries) {
        const command = commandSchema().safeParse(entry)
        if (!command.success) unused.push({ source, why: whyUnread(event, entry) })
        else {
          hooks.push({ ...hookOf(event, command.data), matcher, source, from, ...(dialect && { dialect }) })
          unused.push(...unusedFields(event, command.data).map((why) => ({ source, why })))
        }
      }
    }
  }
  return { hooks, unused }
}

function whyUnread(event: HookEvent, entry: unknown): string {
  const type = z.object({ type: z.string() }).safeParse(entry).data?.type
  if (type !== 'command') return `A hook of ${event} is not a command: only hooks of type “command” run here.`
  return `A hook of ${event} does not have the form that hooks have: ${z.prettifyError(commandSchema().safeParse(entry).error ?? new z.ZodError([]))}`
}

function hookOf(event: HookEvent, entry: CommandEntry): Omit<Hook, 'matcher' | 'source' | 'from'> {
  const { command, args, timeout, if: condition, async: isAsync, onFailure } = entry
  return {
    ...{ event, command: args ? quotedLine([command, ...args]) : command },
    ...(args && { argv: [command, ...args] }),
    ...(condition !== undefined && ABOUT_CALLS.has(event) && { condition }),
    ...(isAsync && DECIDES_NOTHING.has(event) && { isAsync }),
    ...(onFailure === 'block' && { failureBlocks: true }),
    timeoutMs: timeout === undefined ? (LIMIT_MS[event] ?? DEFAULT_LIMIT_MS) : timeout * 1_000,
  }
}

/** What a hook that runs says in vain. */
function unusedFields(event: HookEvent, entry: CommandEntry): readonly string[] {
  const { command, if: condition, async: isAsync } = entry
  const unknown = Object.keys(entry).filter((name) => !KNOWN_FIELDS.has(name))
  const about = `of the ${event} hook “${command}”`
  return [
    ...(unknown.length > 0
      ? [`${unknown.map((name) => `“${name}”`).join(', ')} ${about}: not known here. The rest of the hook counts.`]
      : []),
    ...(condition !== undefined && !ABOUT_CALLS.has(event) ? [`“if” ${about}: there is no call to compare. The hook always runs.`] : []),
    ...(condition !== undefined && !isCondition(condition)
      ? [`“if” ${about}: “${condition}” is not a permission rule. The hook runs for every call.`]
      : []),
    ...(isAsync && !DECIDES_NOTHING.has(event) ? [`“async” ${about}: it decides something, so the agent waits for it.`] : []),
  ]
}
