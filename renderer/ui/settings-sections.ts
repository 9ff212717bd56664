/** The sections of the settings page in order, with their element ids. */
export const SECTIONS = [
  { id: 'settings-providers', title: 'Providers and keys' },
  { id: 'settings-defaults', title: 'New sessions' },
  { id: 'settings-limits', title: 'Limits' },
  { id: 'settings-appearance', title: 'Appearance' },
  { id: 'settings-computer', title: 'This computer' },
  { id: 'settings-storage', title: 'Storage' },
  { id: 'settings-doctor', title: 'Doctor' },
  { id: 'settings-rules', title: 'Rules' },
  { id: 'settings-hooks', title: 'Hooks' },
  { id: 'settings-mcp', title: 'MCP servers' },
  { id: 'settings-extensions', title: 'Commands and agents' },
  { id: 'settings-keys', title: 'Keys' },
  { id: 'settings-about', title: 'About' },
] as const
