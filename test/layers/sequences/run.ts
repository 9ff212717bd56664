import { isDeepStrictEqual } from 'node:util'
import type { DrivenApp } from './driven-app.ts'
import { type Cells, copyLayer, type Files, type Layer } from './reference.ts'

/** What must be in the folder and in the layer of each session. */
export interface World {
  readonly folder: Files
  readonly layers: readonly Layer[]
}

/** A step, and its files before and after it. */
export interface DoneStep {
  readonly step: number
  readonly files: readonly { readonly path: string; readonly before: Cells; readonly after: Cells }[]
}

export interface OneSession {
  readonly sessionId: string
  /** What was signed and not undone, the newest last. */
  readonly signed: DoneStep[]
  /** The newest step in the layer. */
  inside: DoneStep | null
}

/** A sequence that is being run. `count`: the number of steps so far, so that each one writes another text. */
export interface Run {
  readonly app: DrivenApp
  readonly folder: string
  readonly sessions: OneSession[]
  world: World
  count: number
}

export const copyOf = ({ folder, layers }: World): World => ({ folder: new Map(folder), layers: layers.map(copyLayer) })

export function layerOf({ layers }: World, index: number): Layer {
  const layer = layers[index]
  if (layer === undefined) throw new Error(`There is no layer ${index}.`)
  return layer
}

export function sessionOf({ sessions }: Run, index: number): OneSession {
  const session = sessions[index]
  if (session === undefined) throw new Error(`There is no session ${index}.`)
  return session
}

export function same(what: string, found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted)) throw new Error(`${what}: ${JSON.stringify(found)}\nmust be: ${JSON.stringify(wanted)}`)
}
