import { z } from 'zod'
import { once } from '../../shared/lib/once.ts'
import { bashSpec, shellSpec } from '../../shared/tools/built-in/shell.ts'
import { editFileSpec, multiEditSpec } from '../../shared/tools/built-in/edit-file.ts'
import { grepSpec } from '../../shared/tools/built-in/grep.ts'
import { listDirSpec } from '../../shared/tools/built-in/list-dir.ts'
import { todoWriteSpec } from '../../shared/tools/built-in/todos.ts'
import { webSearchSpec } from '../../shared/tools/built-in/web.ts'
import type { HookEvent } from '../../shared/session/hooks.ts'

/**
 * Gemini's event names, each with our name. Gemini also has `BeforeModel`, `AfterModel` and `BeforeToolSelection`. Their hooks change the
 * requests to the model, which hooks cannot do here.
 */
export const GEMINI_EVENTS: ReadonlyMap<string, HookEvent> = new Map<string, HookEvent>(
  Object.entries({
    BeforeTool: 'PreToolUse',
    AfterTool: 'PostToolUse',
    BeforeAgent: 'UserPromptSubmit',
    AfterAgent: 'Stop',
    PreCompress: 'PreCompact',
    SessionStart: 'SessionStart',
    SessionEnd: 'SessionEnd',
    Notification: 'Notification',
  } as const),
)

/** Gemini's name for an event. */
export function geminiEvent(event: HookEvent): string {
  return [...GEMINI_EVENTS].find(([, own]) => own === event)?.[0] ?? event
}

/** Gemini's names for our tools. Tools that are not listed have the same name in Gemini. */
const TOOLS: ReadonlyMap<string, string> = new Map([
  [shellSpec.name, 'run_shell_command'],
  [bashSpec.name, 'run_shell_command'],
  [editFileSpec.name, 'replace'],
  [multiEditSpec.name, 'replace'],
  [grepSpec.name, 'search_file_content'],
  [listDirSpec.name, 'list_directory'],
  [webSearchSpec.name, 'google_web_search'],
  [todoWriteSpec.name, 'write_todos'],
])

/** Gemini's name for one of our tools or for a tool of an MCP server. */
export function geminiTool(toolName: string): string {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/u.exec(toolName) ?? []
  return server === undefined ? (TOOLS.get(toolName) ?? toolName) : `mcp_${server}_${tool}`
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
export function withoutDisabled(json: unknown): unknown {
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
