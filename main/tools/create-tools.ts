import type { Tool } from '../agent/ports/tool.ts'
import { createApplyPatchTool } from './apply-patch.ts'
import { createDeleteFileTool } from './delete-file.ts'
import { createEditFileTool } from './edit-file.ts'
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
import { createWriteFileTool } from './write-file.ts'
import type { LineCounter } from './write-subject.ts'

export interface ToolParts extends ShellParts {
  readonly countLines: LineCounter
}

/** Every built-in tool, each once. They hold no state: sessions share them, each in a registry of its own (T-06). */
export function createTools(parts: ToolParts): readonly Tool[] {
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
    createReadOutputTool(),
    createShellTool(parts),
    createGrepTool(),
    createGlobTool(),
  ]
}
