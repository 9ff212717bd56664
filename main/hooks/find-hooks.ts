import { join } from 'node:path'
import { z } from 'zod'
import type { Hook } from '../../shared/session/hooks.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { PROJECT_CONFIG_PATHS } from '../prompt/project-config-paths.ts'
import { withoutDisabled } from './gemini-hooks.ts'
import { type FoundHooks, type HookFile, hooksOf, settingsSchema, type UnusedHook } from './hooks-of-settings.ts'
import { otherSettings } from './settings-without-effect.ts'

export interface HookSources {
  readonly env: ExecutionEnvironment
  /** Real path of the trusted project. */
  readonly project: string
  readonly home: string
  readonly dataFolder: string
  /** This computer, where the user's own files are read, if the project is on another one. Default: `env`. */
  readonly here?: HookReading | null
}

/** How the files with hooks are read. */
export type HookReading = Pick<ExecutionEnvironment, 'readBytes' | 'stat'>

const MAX_BYTES = 1024 * 1024

/**
 * All hooks of the user and of a project. Identical hooks from several files count once. If a file cannot be read, it is listed and its
 * hooks do not run. A project can switch off its own hooks, but not the user's.
 */
export async function findHooks(sources: HookSources): Promise<FoundHooks> {
  const { env, here = null } = sources
  const files = await Promise.all(filesOf(sources).map((file) => readHookFile((file.from === 'person' && here) || env, file)))
  if (files.some(({ isOff, from }) => isOff && from === 'person')) return { hooks: [], unused: [] }
  const isProjectOff = files.some(({ isOff, from }) => isOff && from === 'project')
  const hooks = new Map<string, Hook>()
  for (const hook of files.flatMap((file) => file.hooks)) {
    if (isProjectOff && hook.from === 'project') continue
    const { event, matcher, command, condition, http, prompt, failureBlocks } = hook
    const key = JSON.stringify([event, matcher, command, condition, http, prompt, failureBlocks])
    if (!hooks.has(key)) hooks.set(key, hook)
  }
  const found = { hooks: [...hooks.values()], unused: files.flatMap(({ unused }) => unused) }
  return here ? hooksThere(found) : found
}

/**
 * The hooks that run for a folder on another machine. Programs of the project's hooks run on that machine. The user's own programs are on
 * this computer, and requests are sent from this computer, so neither belongs to a folder on another machine.
 */
function hooksThere({ hooks, unused }: FoundHooks): FoundHooks {
  const left = new Map<string, Hook[]>()
  for (const hook of hooks) {
    const why = whyNotThere(hook)
    if (why === null) continue
    const key = JSON.stringify([hook.source, why])
    left.set(key, [...(left.get(key) ?? []), hook])
  }
  return { hooks: hooks.filter((hook) => whyNotThere(hook) === null), unused: [...unused, ...[...left].map(leftOut)] }
}

function whyNotThere({ from, http, prompt }: Hook): string | null {
  if (prompt) return null
  if (from === 'person') return http ? null : 'their programs are on this computer, and the folder is on another one'
  return http ? 'they would be sent from this computer, and the folder is on another one' : null
}

function leftOut([key, hooks]: readonly [string, readonly Hook[]]): UnusedHook {
  const [source = '', why = ''] = JSON.parse(key) as readonly string[]
  const events = [...new Set(hooks.map(({ event }) => event))].join(', ')
  return { source, why: `Hooks of ${events} do not run here: ${why}.` }
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

async function readHookFile(env: HookReading, file: HookFile): Promise<ReadFile> {
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
