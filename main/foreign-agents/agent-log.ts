import { newestFile } from '../environment/search/newest-file.ts'

/** The marker of a session with the agent's own id of its session. The agent reopens its session with it after a restart. */
export const AGENT_SESSION_MARKER = 'agent-session'

/**
 * The log that an agent itself keeps of one of its sessions: the newest file below its state folders whose name contains the session's id,
 * or the first part of a UUID. Claude Code, Codex, Gemini CLI and others keep such a file; Goose and opencode keep a database instead.
 * Symbolic links are not followed. Resolves to null if there is no such file. `state`: the absolute paths of the state folders.
 */
export function agentLog(state: readonly string[], theirs: string): Promise<string | null> {
  const [, prefix = theirs] = /^([0-9a-f]{8})-[0-9a-f]{4}-/u.exec(theirs) ?? []
  return newestFile(state, (name) => hasPart(name, theirs) || hasPart(name, prefix))
}

/** Whether the id is in the name, not as part of a longer word or number. */
function hasPart(name: string, id: string): boolean {
  const at = name.indexOf(id)
  const isEdge = (char: string | undefined): boolean => char === undefined || !/[A-Za-z0-9]/u.test(char)
  return id !== '' && at !== -1 && isEdge(name[at - 1]) && isEdge(name[at + id.length])
}
