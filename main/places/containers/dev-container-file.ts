import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Where a folder describes its dev container, in the order of the specification. */
export const FILES = ['.devcontainer/devcontainer.json', '.devcontainer.json'] as const
const described = z.object({ image: z.string().min(1) })

/** The image of a folder's dev container. Null if the folder has none, or one that is built. Call it only in a trusted folder. */
export async function devContainerImage(folder: string): Promise<string | null> {
  for (const file of FILES) {
    const text = await readFile(join(folder, file), 'utf8').catch(() => null)
    if (text === null) continue
    return described.safeParse(parsed(text)).data?.image ?? null
  }
  return null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(withoutComments(text))
  } catch {
    return null
  }
}

/** The JSON in a file that may contain comments and commas before closing brackets. */
const withoutComments = (text: string): string =>
  text
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//gu, (_, string: string | undefined) => string ?? '')
    .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/gu, (_, string: string | undefined) => string ?? '')
