/**
 * Everything that is read from a project once its folder is trusted. The trust question and the loading code both use this list, so that
 * nothing is loaded that the question does not name.
 */
export const PROJECT_FILES = {
  /** Instructions for the agent, in every folder from the repository's root down; each model family reads some of them. */
  documents: ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.codex/instructions.md'],
  /** Notes from earlier sessions. */
  memory: '.countersign/memory.md',
  /** A folder of Markdown files; each describes a kind of subagent. */
  agents: '.countersign/agents',
  /** Not loaded yet. The question already names them, because it is asked only once. */
  planned: ['.countersign/settings.json', '.countersign/hooks', '.countersign/commands', '.mcp.json'],
} as const

export type ProjectDocumentName = (typeof PROJECT_FILES.documents)[number]
