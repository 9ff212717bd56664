import type { ToolChanges } from '../../compose/tool-sets.ts'
import { createToolRegistry } from './define-tool.ts'
import { toolBehind } from '../public-dispatch.ts'
import type { RegisteredTool, ToolRegistry } from './tool-types.ts'

/** The tools of an agent. The host may change them at any time. The app reads the changes before each request to the model. */
export interface AgentTools {
  readonly registry: ToolRegistry
  changes(): ToolChanges
}

/** `builtIn`: the tools of the profile. */
export function createAgentTools(builtIn: ReadonlyArray<RegisteredTool>, own: ReadonlyArray<RegisteredTool>): AgentTools {
  const all = createToolRegistry(builtIn)
  const added = new Map<string, RegisteredTool>()
  const removed = new Set<string>()
  let changes: ToolChanges | null = null
  const register = (tool: RegisteredTool): void => {
    all.register(tool)
    const { name } = tool.definition
    added.set(name, tool)
    removed.delete(name)
    changes = null
  }
  own.forEach(register)
  return {
    registry: {
      ...all,
      register,
      unregister(name) {
        all.unregister(name)
        added.delete(name)
        removed.add(name)
        changes = null
      },
    },
    changes: () => (changes ??= { added: [...added.values()].map(toolBehind), removed: new Set(removed) }),
  }
}
