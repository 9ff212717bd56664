/** Folders of slash commands. They contain Markdown files, or TOML files in `.gemini`. */
const COMMANDS = ['.countersign/commands', '.claude/commands', '.gemini/commands'] as const
/** Folders of skills. Each skill is a folder with a `SKILL.md`. */
const SKILLS = ['.countersign/skills', '.claude/skills', '.agents/skills', '.gemini/skills'] as const

/**
 * Files with hooks, the commands that run at certain events. `settings.local.json` is the user's own file and not in git. Codex's and
 * Gemini's files have the same format as Claude Code's.
 */
const HOOKS = [
  ...(['.countersign/hooks.json', '.claude/settings.json', '.claude/settings.local.json', '.codex/hooks.json'] as const),
  '.gemini/settings.json',
] as const

/**
 * Everything that is read from a project once its folder is trusted. The trust question and the loading code both use this list, so that
 * nothing is loaded that the question does not list.
 */
export const PROJECT_CONFIG_PATHS = {
  /** Instructions for the agent, in every folder from the repository's root down. Each model family reads some of these files. */
  documents: [
    ...(['AGENTS.md', 'AGENTS.override.md', 'CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md'] as const),
    '.codex/instructions.md',
  ],
  /** A folder with Claude Code's Markdown rules, next to each `CLAUDE.md`. */
  rules: '.claude/rules',
  /** Notes from earlier sessions. */
  memory: '.countersign/memory.md',
  /** Folders whose files each describe one kind of subagent, in Markdown or Codex's TOML. */
  agents: [
    { folder: '.countersign/agents', format: 'own' },
    { folder: '.claude/agents', format: 'claude' },
    { folder: '.codex/agents', format: 'codex' },
  ],
  commands: COMMANDS,
  hooks: HOOKS,
  skills: SKILLS,
  /**
   * Files and folders (with all their contents) that can start programs or decide what may start. A change of their content ends the
   * folder's trust, even for those that this version does not load.
   */
  executable: [
    { path: '.countersign/settings.json', kind: 'settings' },
    { path: '.countersign/rules.json', kind: 'rules' },
    { path: '.countersign/hooks', kind: 'hooks' },
    // The folder that usually contains the programs that hooks run.
    { path: '.claude/hooks', kind: 'hooks' },
    { path: '.codex/hooks', kind: 'hooks' },
    ...HOOKS.map((path) => ({ path, kind: 'hooks' }) as const),
    ...COMMANDS.map((path) => ({ path, kind: 'commands' }) as const),
    ...SKILLS.map((path) => ({ path, kind: 'skills' }) as const),
    { path: '.mcp.json', kind: 'servers' },
  ],
} as const

export type ProjectDocumentName = (typeof PROJECT_CONFIG_PATHS.documents)[number]
