import type { ReadEffect } from '../../shared/session/effects.ts'
import { readFileSpec } from '../../shared/tools/read-file.ts'
import type { PathFacts, RunContext, Tool, ToolOutput } from '../agent/ports/tool.ts'
import { defineTool } from './define-tool.ts'
import { doesNotExist, lookalike } from './files/near-names.ts'
import { failure, fileFailure, leadsElsewhere, locate, rejected, shownPath } from './outcome.ts'
import { shownFile } from './files/shown-file.ts'

/** Reads inside the folder have no effects; outside it the read itself is the effect that is asked for. */
export function createReadFileTool(): Tool {
  return defineTool(readFileSpec, async (input, context) => {
    const place = await locate(context, input.file_path)
    if (!place.ok) return rejected(place.failure)
    const commit = async (run: RunContext): Promise<ToolOutput> => {
      const found = await bytesToRead(place.value, run)
      if (!('bytes' in found)) return found
      const shown = await shownFile(found.bytes, found.place, input, run)
      return found.place === place.value ? shown : withItsName(shown, found.place)
    }
    return { kind: 'ready', effects: readEffects([place.value]), commit }
  })
}

/** What is asked for of reads: those that leave the folder. */
export function readEffects(places: readonly PathFacts[]): readonly ReadEffect[] {
  return places.filter(({ outside }) => outside).map((place) => ({ kind: 'read', ...place }))
}

/** What was read where. */
export interface Found {
  readonly bytes: Uint8Array
  readonly place: PathFacts
}

/** A file's bytes, or the end of the call. The place is another where only a name that looks the same is there. */
export async function bytesToRead(place: PathFacts, run: RunContext): Promise<Found | ToolOutput> {
  try {
    const moved = await leadsElsewhere(run, place)
    if (moved) return moved
    return { bytes: await run.env.readBytes(place.path, { signal: run.signal }), place }
  } catch (error) {
    run.signal.throwIfAborted()
    const meant = fileFailure(error).code === 'ENOENT' ? await lookalike(run.env, place) : null
    return meant ? bytesToRead(meant, run) : failure(await whyNot(error, place, run))
  }
}

function withItsName(read: ToolOutput, { shown }: PathFacts): ToolOutput {
  return typeof read.output === 'string' ? { ...read, output: `${read.output}\n(The file is called ${shownPath(shown)}.)` } : read
}

async function whyNot(error: unknown, place: PathFacts, run: RunContext): Promise<string> {
  const { code, message } = fileFailure(error)
  const shown = shownPath(place.shown)
  switch (code) {
    case 'ENOENT':
      return doesNotExist(run.env, place, 'Search for the file by name.')
    case 'EISDIR':
      return `${shown} is a folder, not a file. List its files first.`
    case 'EFBIG':
      return `${message} Search it for what you need, or show a part of it with a command such as head or sed.`
    default:
      return message
  }
}
