import { counted } from '../../ui/format.ts'

/** The heading of the changed files of a session beside the folder. */
export interface LayerCounts {
  readonly title: string
  /** How many of the files wait in the layer. Undefined if the title says it. */
  readonly aside: string | undefined
}

/**
 * How many files a session beside the folder has changed, and how many of them wait in its layer to be brought in. `own`: how many files differ
 * between layer and folder now. Null if that is not known.
 */
export function layerCounts(changed: number, own: number | null): LayerCounts {
  if (own === null || own >= changed) return { title: `${counted(changed, 'file')} in the layer`, aside: undefined }
  return { title: counted(changed, 'file'), aside: own === 0 ? 'none left to bring in' : `${own.toLocaleString('en-US')} in the layer` }
}
