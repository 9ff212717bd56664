import type { HookFile, UnusedHook } from './hooks-of-settings.ts'

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
export function otherSettings(settings: Readonly<Record<string, unknown>>, { shown: source, dialect }: HookFile): readonly UnusedHook[] {
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
