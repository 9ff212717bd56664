import type { SessionId } from '../../../shared/lib/ids.ts'
import { bringInSpec } from '../../../shared/tools/built-in/bring-in.ts'
import type { Layers } from '../../agent/ports/layers.ts'
import type { Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'

export interface BringInParts {
  /** The session whose work is brought in. */
  readonly from: SessionId
  /** Its title at the moment. */
  title(): string
  readonly layers: Layers
}

/** Brings in what a session has changed in its layer. What the user does not sign stays in the layer. */
export function createBringInTool({ from, title, layers }: BringInParts): Tool {
  return defineTool(bringInSpec, () =>
    Promise.resolve({
      kind: 'ready',
      effects: [],
      async commit(): Promise<ToolOutput> {
        const changes = await layers.changes(from)
        if (changes.files.length === 0) return { output: NOTHING_LEFT, isError: false, details: null }
        const owner = { kind: 'session', sessionId: from, title: title() } as const
        return { output: `The changes of “${owner.title}”.`, isError: false, details: null, layerChanges: { owner, changes } }
      },
    }),
  )
}

const NOTHING_LEFT = 'The layer and the folder do not differ, so there is nothing to bring in.'
