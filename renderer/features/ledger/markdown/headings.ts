import type { Token, Tokens } from 'marked'

/** Heading levels in an answer. The page title is level 1 and the person's message level 2. */
export type HeadingLevel = 3 | 4 | 5 | 6

/** Depths (1 to 6, as written) of the headings above the next one, outermost first. */
export type Outline = readonly number[]

const LEVELS = new WeakMap<Token, HeadingLevel>()

/** Null for a heading inside another block, which is not part of the outline. */
export function levelOf(token: Token): HeadingLevel | null {
  return LEVELS.get(token) ?? null
}

/**
 * Sets the level of each heading by its position in the outline, so that no level is skipped: `##` and `####` become levels 3 and 4. Returns the
 * outline after the last block.
 */
export function setLevels(blocks: readonly Token[], before: Outline): Outline {
  let outline = before
  for (const block of blocks) {
    if (block.type !== 'heading') continue
    const { depth } = block as Tokens.Heading
    outline = [...outline.filter((above) => above < depth), depth]
    LEVELS.set(block, Math.min(6, 2 + outline.length) as HeadingLevel)
  }
  return outline
}
