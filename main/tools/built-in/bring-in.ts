import type { SessionId } from '../../../shared/lib/ids.ts'
import type { BroughtFromAgent } from '../../../shared/session/effects.ts'
import { bringInSpec } from '../../../shared/tools/built-in/bring-in.ts'
import { leftInLayerWords } from '../../../shared/session/file-change.ts'
import type { Layers } from '../../agent/ports/layers.ts'
import type { Tool, ToolOutput } from '../../agent/ports/tool.ts'
import { defineTool } from '../define/define-tool.ts'

export interface BringInParts {
  /** The session whose work is brought in. */
  readonly from: SessionId
  /** Its current title. */
  title(): string
  /**
   * The third-party agent that works there, and its turns in which these files (relative paths) were changed. Undefined if there is none.
   */
  agent(paths: readonly string[]): Promise<BroughtFromAgent | undefined>
  readonly layers: Layers
}

/**
 * Brings in what a session has changed in its layer. Unsigned changes stay in the layer. Those of a third-party agent are removed from it.
 */
export function createBringInTool({ from, title, agent, layers }: BringInParts): Tool {
  return defineTool(bringInSpec, () =>
    Promise.resolve({
      kind: 'ready',
      effects: [],
      async commit(): Promise<ToolOutput> {
        const changes = await layers.changes(from)
        if (changes.files.length === 0)
          return { output: [NOTHING_LEFT, ...leftInLayerWords(changes)].join(' '), isError: false, details: null }
        const worked = await agent(changes.files.map(({ path }) => path))
        const owner = { kind: 'session', sessionId: from, title: title(), ...(worked && { agent: worked }) } as const
        return { output: `The changes of “${owner.title}”.`, isError: false, details: null, layerChanges: { owner, changes } }
      },
    }),
  )
}

const NOTHING_LEFT = 'The files of the layer and of the folder do not differ, so there is nothing to bring in.'
