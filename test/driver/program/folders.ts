import { failed, ok, type Result } from '../../../shared/lib/result.ts'
import { createToolRegistry } from '../../../main/agent/tool-registry.ts'
import { createCallMemory } from '../../../main/embed/call-memory.ts'
import type { DispatchOptions } from '../../../main/embed/dispatch-without-session.ts'
import type { ExecutionEnvironment } from '../../../main/agent/ports/execution-environment.ts'
import type { ToolRegistry } from '../../../main/agent/ports/tool.ts'
import { countChangedLinesInSlices } from '../../../main/changes/count-changed-lines.ts'
import { createTools } from '../../../main/tools/create-tools.ts'
import { truncateToolOutput } from '../../../main/tools/truncation/truncate.ts'
import type { Workspaces } from '../../../main/workspace/workspaces.ts'

/** What all calls in one folder share: the environment, the tools, and which files were read. */
interface DriverFolder {
  /** Real path. */
  readonly path: string
  readonly environment: ExecutionEnvironment
  readonly registry: ToolRegistry
  readonly options: DispatchOptions
  /** Runs the work after all earlier requests for this folder. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
}

export interface DriverFolders {
  /** If the folder cannot be opened, the failure is a sentence that says why. */
  open(cwd: string): Promise<Result<DriverFolder, string>>
}

export function createFolders(workspaces: Workspaces, signal: AbortSignal, blobs?: DispatchOptions['blobs']): DriverFolders {
  const opened = new Map<string, DriverFolder>()
  // Folders are opened one at a time, so that requests run in the order in which they arrived.
  const opens = queue()
  const open = async (cwd: string): Promise<Result<DriverFolder, string>> => {
    const found = await workspaces.find(cwd)
    if (!found.ok) return failed(found.failure.what)
    const known = opened.get(found.value)
    if (known) return ok(known)
    const workspace = await workspaces.open(found.value)
    if (!workspace.ok) return failed(workspace.failure.what)
    const { environment, policy, place } = workspace.value
    const folder: DriverFolder = {
      path: found.value,
      environment,
      registry: createToolRegistry(createTools({ countLines: countChangedLinesInSlices })),
      options: {
        signal,
        place,
        memory: createCallMemory(),
        // A request to the driver counts as approval inside the folder. Whatever needs a signature even in `full` is refused.
        look: policy.look,
        judge: (effects) => policy.judge(effects, 'full'),
        truncate: (toolName, output, toolCallId, missing) => truncateToolOutput(output, toolName, {}, toolCallId, missing),
        ...(blobs && { blobs }),
      },
      inTurn: queue(),
    }
    // Another request may have opened the folder while this request waited.
    const first = opened.get(found.value) ?? folder
    opened.set(found.value, first)
    return ok(first)
  }
  return { open: (cwd) => opens(() => open(cwd)) }
}

function queue(): DriverFolder['inTurn'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
}
