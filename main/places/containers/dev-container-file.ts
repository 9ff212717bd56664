import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { orNull } from '../../environment/environment-failure.ts'

/** The files that may describe a folder's dev container, in the order of the specification. */
export const FILES = ['.devcontainer/devcontainer.json', '.devcontainer.json'] as const
const described = z.object({ image: z.string().min(1) })

/**
 * The image of a folder's dev container. Null if the folder has no dev container, or if its image must be built. Call this only for a
 * trusted folder.
 */
export async function devContainerImage(folder: string): Promise<string | null> {
  for (const file of FILES) {
    const text = await readFile(join(folder, file), 'utf8').catch(() => null)
    if (text === null) continue
    return described.safeParse(orNull(() => JSON.parse(withoutComments(text)) as unknown)).data?.image ?? null
  }
  return null
}

/** The JSON in a file that may contain comments and commas before closing brackets. */
const withoutComments = (text: string): string =>
  text
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//gu, (_, string: string | undefined) => string ?? '')
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/gu, (_, string: string | undefined) => string ?? '')
