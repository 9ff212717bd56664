/** The sections of the settings page in order, with their element ids. */
export const SECTIONS = {
  providers: { id: 'settings-providers', title: 'Providers and keys' },
  defaults: { id: 'settings-defaults', title: 'New sessions' },
  agents: { id: 'settings-agents', title: 'Other agents' },
  limits: { id: 'settings-limits', title: 'Limits' },
  appearance: { id: 'settings-appearance', title: 'Appearance' },
  computer: { id: 'settings-computer', title: 'This computer' },
  storage: { id: 'settings-storage', title: 'Storage' },
  doctor: { id: 'settings-doctor', title: 'Doctor' },
  rules: { id: 'settings-rules', title: 'Rules' },
  hooks: { id: 'settings-hooks', title: 'Hooks' },
  mcp: { id: 'settings-mcp', title: 'MCP servers' },
  extensions: { id: 'settings-extensions', title: 'Commands and agents' },
  keys: { id: 'settings-keys', title: 'Keys' },
  about: { id: 'settings-about', title: 'About' },
} as const

export const SECTION_LIST = Object.values(SECTIONS)
