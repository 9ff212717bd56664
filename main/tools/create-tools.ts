import type { Tool } from '../agent/ports/tool.ts'
import { createApplyPatchTool } from './built-in/apply-patch.ts'
import { createAskUserQuestionTool } from './built-in/ask-user-question.ts'
import { createBashOutputTool, createKillShellTool } from './built-in/background-commands.ts'
import { createBashTool, createShellTool } from './built-in/shell.ts'
import { createDeleteFileTool, createWriteFileTool } from './built-in/write-file.ts'
import { createEditFileTool, createMultiEditTool } from './built-in/edit-file.ts'
import { createExitPlanModeTool, type KeepPlan } from './built-in/exit-plan-mode.ts'
import { createGlobTool } from './built-in/glob.ts'
import { createGrepTool } from './built-in/grep.ts'
import { createListDirTool } from './built-in/list-dir.ts'
import { createNotebookEditTool, createNotebookReadTool } from './built-in/notebook.ts'
import { createReadFileTool, createReadManyFilesTool } from './built-in/read-file.ts'
import { createReadOutputTool } from './built-in/read-output.ts'
import { createSaveMemoryTool } from './built-in/save-memory.ts'
import { createShells, type Shells } from './commands/session-shells.ts'
import { createTodoReadTool, createTodoWriteTool } from './built-in/todos.ts'
import { createWebFetchTool, createWebSearchTool } from './built-in/web.ts'
import { createWebParts, type LazyWebCode } from './web/lazy-web-code.ts'
import type { LineCounter } from './files/file-write.ts'

export interface ToolParts {
  readonly countLines: LineCounter
  /** If absent, the tools use the public web. */
  readonly web?: LazyWebCode
  /** If absent, approved plans are kept only in the session. */
  readonly writePlanFile?: KeepPlan
  /** Whether the user has chosen that small plans need no approval. If absent, the user is asked about them. */
  readonly skipsSmallPlans?: () => boolean
  /** The running processes of a session. The caller must close them. If absent, they end with the environment. */
  readonly shells?: Shells
}

/** Every built-in tool. Each session makes its own, because `shells` belongs to one session. */
export function createTools(parts: ToolParts): readonly Tool[] {
  const web = parts.web ?? createWebParts()
  const shells = parts.shells ?? createShells()
  return [
    createReadFileTool(),
    createWriteFileTool(parts),
    createEditFileTool(parts),
    createMultiEditTool(parts),
    createApplyPatchTool(parts),
    createDeleteFileTool(),
    createReadManyFilesTool(),
    createNotebookReadTool(),
    createNotebookEditTool(parts),
    createTodoWriteTool(),
    createTodoReadTool(),
    createExitPlanModeTool(parts.writePlanFile, parts.skipsSmallPlans),
    createReadOutputTool(),
    createWebFetchTool(web),
    createWebSearchTool(web),
    // This tool is listed before `shell`, because models call both tools Bash, and that name must mean this tool if it is present.
    createBashTool(shells),
    createShellTool(shells),
    createBashOutputTool(shells),
    createKillShellTool(shells),
    createGrepTool(),
    createGlobTool(),
    createListDirTool(),
  ]
}

export interface SessionToolParts {
  readonly countLines: LineCounter
  /** Whether a user can answer questions. */
  readonly canAsk: boolean
}

/** Tools that need a session with a user. No profile lists them. Models also call them by names that they know from other agents. */
export function createSessionTools(parts: SessionToolParts): readonly Tool[] {
  return [createAskUserQuestionTool(parts), createSaveMemoryTool(parts)]
}
