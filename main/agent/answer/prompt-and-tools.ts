import type { BlobHash } from '../../../shared/lib/ids.ts'
import type { BlobRef, SessionConfigured, Trouble } from '../../../shared/session/events.ts'
import type { LoggedTurn, Turn } from '../../../shared/session/conversation-turns.ts'
import type { BlobStore } from '../ports/blob-store.ts'
import type { Model } from '../ports/model.ts'
import type { ToolDefinition } from '../ports/provider.ts'
import type { ToolRegistry } from '../ports/tool.ts'
import type { SessionRecord } from '../record/session-record.ts'
import { createPictureResolver } from '../pictures/resolve-pictures.ts'
import { StorageError } from '../storage-error.ts'

interface RequestContext {
  readonly system: string
  readonly tools: readonly ToolDefinition[]
}

/**
 * The system prompt and tool list of the next request. The stored prompt is used as long as provider and model stay the same, even after a
 * restart. When the prompt or the tools change, a REQUEST_CONTEXT is appended first. Texts and objects that do not change remain the same
 * objects. Rejects only with the signal's reason. In that case nothing has been appended.
 */
export interface PromptAndTools {
  next(model: Model, registry: ToolRegistry, config: SessionConfigured, signal: AbortSignal): Promise<RequestContext>
  /** Returns these turns as they are sent to a model with this configuration. */
  shown(turns: readonly LoggedTurn[], config: SessionConfigured): readonly Turn[]
}

export function createPromptAndTools(record: SessionRecord, blobs: BlobStore): PromptAndTools {
  let system: { readonly text: string; readonly ref: BlobRef; readonly config: SessionConfigured } | null = null
  let tools: { readonly definitions: readonly ToolDefinition[]; readonly ref: BlobRef } | null = null

  let offeredIn: ToolRegistry | null = null
  const shown = createPictureResolver(blobs)

  const toolsOf = (registry: ToolRegistry, config: SessionConfigured): NonNullable<typeof tools> => {
    const definitions = record.memory().tools.offered(registry.definitions(), config)
    return tools?.definitions === definitions ? tools : { definitions, ref: keepText(blobs, JSON.stringify(definitions)) }
  }
  const systemFor = async (
    model: Model,
    config: SessionConfigured,
    meanwhile: () => void,
    warn: (trouble: Trouble) => void,
  ): Promise<NonNullable<typeof system>> => {
    if (system && isSameModel(system.config, config)) return system
    const stored = record.memory().context.newest()
    if (stored && isSameModel(stored.config, config)) {
      const text = readText(blobs, stored.system.hash)
      if (text !== null) return { text, ref: stored.system, config }
    }
    const text = await model.systemPrompt(meanwhile, warn)
    return { text, ref: keepText(blobs, text), config }
  }
  /**
   * Offers in this registry, too, every tool that the model has already been offered by another registry of this session or by another
   * process.
   */
  const offerAgain = (registry: ToolRegistry): void => {
    if (registry === offeredIn) return
    const stored = tools === null ? record.memory().context.newest() : null
    const before = tools?.definitions ?? (stored ? namesIn(readText(blobs, stored.tools.hash)) : [])
    registry.offer(before.map(({ name }) => name))
    offeredIn = registry
  }
  return {
    async next(model, registry, config, signal) {
      offerAgain(registry)
      const warnings: Trouble[] = []
      const prepareTools = (): void => void (tools = toolsOf(registry, config))
      system = await systemFor(model, config, prepareTools, (trouble) => void warnings.push(trouble))
      // The session may have ended in the meantime.
      signal.throwIfAborted()
      for (const trouble of warnings) if (!record.memory().warnings.has(trouble)) record.append({ kind: 'WARNING', trouble })
      tools = toolsOf(registry, config)
      const stored = record.memory().context.newest()
      if (stored?.system.hash !== system.ref.hash || stored.tools.hash !== tools.ref.hash || !isSameModel(stored.config, config))
        record.append({ kind: 'REQUEST_CONTEXT', system: system.ref, tools: tools.ref })
      return { system: system.text, tools: tools.definitions }
    },
    shown(turns, config) {
      const { pictures, reasoning } = record.memory()
      return reasoning.shown(shown(turns, config, pictures))
    },
  }
}

type ModelName = Pick<SessionConfigured, 'provider' | 'model'>
const isSameModel = (a: ModelName, b: ModelName): boolean => a.provider === b.provider && a.model === b.model

const UNSTORED = '0'.repeat(64) as BlobHash

/**
 * If the text cannot be stored, the request is made anyway. The log then contains no reference to the text, and the prompt is built again
 * after a restart.
 */
function keepText(blobs: BlobStore, text: string): BlobRef {
  const bytes = new TextEncoder().encode(text)
  try {
    return { hash: blobs.put(bytes), bytes: bytes.length }
  } catch (error) {
    if (error instanceof StorageError) return { hash: UNSTORED, bytes: bytes.length }
    throw error
  }
}

/** The tool names in a stored list of tools. */
function namesIn(text: string | null): readonly Pick<ToolDefinition, 'name'>[] {
  return text === null ? [] : (JSON.parse(text) as readonly Pick<ToolDefinition, 'name'>[])
}

function readText(blobs: BlobStore, hash: BlobHash): string | null {
  try {
    return new TextDecoder().decode(blobs.get(hash))
  } catch (error) {
    if (error instanceof StorageError) return null
    throw error
  }
}
