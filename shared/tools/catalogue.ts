import { applyPatchSpec } from './apply-patch.ts'
import { askUserQuestionSpec } from './ask-user-question.ts'
import { bashOutputSpec } from './bash-output.ts'
import { bashSpec } from './bash.ts'
import { deleteFileSpec } from './delete-file.ts'
import { editFileSpec } from './edit-file.ts'
import { exitPlanModeSpec } from './exit-plan-mode.ts'
import { globSpec } from './glob.ts'
import { grepSpec } from './grep.ts'
import { killShellSpec } from './kill-shell.ts'
import { listDirSpec } from './list-dir.ts'
import { multiEditSpec } from './multi-edit.ts'
import { notebookEditSpec } from './notebook-edit.ts'
import { notebookReadSpec } from './notebook-read.ts'
import { readFileSpec } from './read-file.ts'
import { readManyFilesSpec } from './read-many-files.ts'
import { readOutputSpec } from './read-output.ts'
import { saveMemorySpec } from './save-memory.ts'
import { shellSpec } from './shell.ts'
import { closeAgentSpec, sendInputSpec, spawnAgentSpec, taskSpec, waitSpec } from './subagents.ts'
import { todoReadSpec, todoWriteSpec } from './todos.ts'
import type { ToolSpec } from './tool-spec.ts'
import { webFetchSpec } from './web-fetch.ts'
import { webSearchSpec } from './web-search.ts'
import { writeFileSpec } from './write-file.ts'

/** Every built-in tool that needs no session around it, by its canonical name; log, limits, driver and screen know no other (DESIGN §2). */
export const TOOL_SPECS: ReadonlyMap<string, ToolSpec> = new Map(
  [
    readFileSpec,
    readManyFilesSpec,
    notebookReadSpec,
    writeFileSpec,
    editFileSpec,
    multiEditSpec,
    applyPatchSpec,
    deleteFileSpec,
    notebookEditSpec,
    todoWriteSpec,
    todoReadSpec,
    exitPlanModeSpec,
    readOutputSpec,
    webFetchSpec,
    webSearchSpec,
    shellSpec,
    bashSpec,
    bashOutputSpec,
    killShellSpec,
    grepSpec,
    globSpec,
    listDirSpec,
  ].map((spec) => [spec.name, spec]),
)

/** Those that need a session: subagents, questions to the person, notes. */
const SESSION_SPECS: ReadonlyMap<string, ToolSpec> = new Map(
  [taskSpec, spawnAgentSpec, sendInputSpec, waitSpec, closeAgentSpec, askUserQuestionSpec, saveMemorySpec].map((spec) => [spec.name, spec]),
)

/** The verb of an entry; a tool that we do not know is called by its name. */
export function verbOf(toolName: string): string {
  return (TOOL_SPECS.get(toolName) ?? SESSION_SPECS.get(toolName))?.verb ?? toolName
}
