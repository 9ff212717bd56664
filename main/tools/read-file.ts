import type { ReadEffect } from '../../shared/session/effects.ts'
import { readFileSpec } from '../../shared/tools/read-file.ts'
import type { PathFacts, RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { defineTool } from './define-tool.ts'
import { doesNotExist } from './near-names.ts'
import { failure, fileFailure, leadsElsewhere, locate, rejected, shownPath } from './outcome.ts'
import { shownFile } from './shown-file.ts'

/** Reads inside the folder have no effects; outside it the read itself is the effect that is asked for. */
export function createReadFileTool(): Tool {
  return defineTool(readFileSpec, async (input, context) => {
    const place = await locate(context, input.file_path)
    if (!place.ok) return rejected(place.failure)
    const commit = async (run: RunContext): Promise<ToolOutput> => {
      const bytes = await bytesToRead(place.value, run)
      return bytes instanceof Uint8Array ? shownFile(bytes, place.value, input, run) : bytes
    }
    return { kind: 'ready', effects: readEffects([place.value]), commit }
  })
}

/** What is asked for of reads: those that leave the folder. */
export function readEffects(places: readonly PathFacts[]): readonly ReadEffect[] {
  return places.filter(({ outside }) => outside).map((place) => ({ kind: 'read', ...place }))
}

/** A file's bytes, or the end of the call. */
export async function bytesToRead(place: PathFacts, run: RunContext): Promise<Uint8Array | ToolOutput> {
  try {
    const moved = await leadsElsewhere(run, place)
    if (moved) return moved
    return await run.env.readBytes(place.path, { signal: run.signal })
  } catch (error) {
    run.signal.throwIfAborted()
    return failure(await whyNot(error, place, run))
  }
}

async function whyNot(error: unknown, place: PathFacts, run: RunContext): Promise<string> {
  const { code, message } = fileFailure(error)
  const shown = shownPath(place.shown)
  switch (code) {
    case 'ENOENT':
      return doesNotExist(run.env, place, 'Use glob to find the file.')
    case 'EISDIR':
      return `${shown} is a folder, not a file. Use glob to list what it holds.`
    case 'EFBIG':
      return `${message} Use grep to find what you look for, or a command such as head or sed to see a part.`
    default:
      return message
  }
}
