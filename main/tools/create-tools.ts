import type { Tool } from '../agent/ports/tool.ts'
import { createApplyPatchTool } from './apply-patch.ts'
import { createDeleteFileTool } from './delete-file.ts'
import { createEditFileTool } from './edit-file.ts'
import { createExitPlanModeTool } from './exit-plan-mode.ts'
import { createGlobTool } from './glob.ts'
import { createGrepTool } from './grep.ts'
import { createMultiEditTool } from './multi-edit.ts'
import { createNotebookEditTool } from './notebook-edit.ts'
import { createNotebookReadTool } from './notebook-read.ts'
import { createReadFileTool } from './read-file.ts'
import { createReadManyFilesTool } from './read-many-files.ts'
import { createReadOutputTool } from './read-output.ts'
import { type ShellParts, createShellTool } from './shell.ts'
import { createTodoReadTool, createTodoWriteTool } from './todos.ts'
import { createWebFetchTool } from './web-fetch.ts'
import { createWebSearchTool } from './web-search.ts'
import { createWebParts, type WebParts } from './web/web-parts.ts'
import { createWriteFileTool } from './write-file.ts'
import type { LineCounter } from './write-subject.ts'

export interface ToolParts extends ShellParts {
  readonly countLines: LineCounter
  /** Left out: the open web. */
  readonly web?: WebParts
}

/** Every built-in tool, each once. They hold no state: sessions share them, each in a registry of its own (T-06). */
export function createTools(parts: ToolParts): readonly Tool[] {
  const web = parts.web ?? createWebParts()
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
    createExitPlanModeTool(),
    createReadOutputTool(),
    createWebFetchTool(web),
    createWebSearchTool(web),
    createShellTool(parts),
    createGrepTool(),
    createGlobTool(),
  ]
}
