/**
 * Everything in a project that is read or loaded once its folder is trusted. Loading takes its names from here, and so does the question of
 * trust, so that nothing can be loaded that the question does not name.
 */
export const PROJECT_FILES = {
  /** Texts for the agent, at every level from the repository's root to the folder; each model family reads some of them. */
  documents: ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.codex/instructions.md'],
  /** What was noted in earlier sessions. */
  memory: '.countersign/memory.md',
  /** A folder of Markdown files, each of which describes a kind of subagent. */
  agents: '.countersign/agents',
  /** Not loaded yet. Asked about already, since the answer is asked for once and holds from then on. */
  planned: ['.countersign/settings.json', '.countersign/hooks', '.countersign/commands', '.mcp.json'],
} as const

export type ProjectDocumentName = (typeof PROJECT_FILES.documents)[number]
