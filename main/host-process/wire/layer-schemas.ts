import { z } from 'zod'
import { BlobHash } from '../../../shared/lib/ids.ts'
import type { LayerBase, LayerChanges, LayerFile, Layers } from '../../agent/ports/layers.ts'
import { standingEntrySchema } from '../../environment/copy/changes/change-set-schema.ts'
import { relativePath } from './schemas.ts'

const layerFile = z.object({
  hash: BlobHash,
  size: z.int().nonnegative(),
  mode: z.int().min(0).max(0o777).nullable(),
}) satisfies z.ZodType<LayerFile>

export const layerBases = z.array(
  z.object({ path: relativePath, base: layerFile.nullable(), own: layerFile.nullable().exactOptional() }),
) satisfies z.ZodType<readonly LayerBase[]>

const layerChange = z.object({ path: relativePath, base: layerFile.nullable(), own: layerFile.nullable() })

const leftInLayer = z.object({
  path: relativePath,
  what: z.enum(['link', 'folder', 'fifo', 'socket', 'device', 'set-id-bits']),
  isRemoved: z.boolean(),
})

export const layerChanges = z.object({
  version: z.literal(1),
  folder: z.string(),
  files: z.array(layerChange).readonly(),
  leftOut: z.array(leftInLayer).readonly().exactOptional(),
}) satisfies z.ZodType<LayerChanges>

export const layerEntries = z.object({
  entries: z.array(standingEntrySchema.nullable()).readonly(),
  device: z.string(),
}) satisfies z.ZodType<Awaited<ReturnType<Layers['entriesOf']>>>
