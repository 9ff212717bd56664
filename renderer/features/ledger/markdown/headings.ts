import type { Token, Tokens } from 'marked'

/** Levels of headings in an answer: the page's title is level 1 and the person's message, which the answer stands under, level 2. */
export type HeadingLevel = 3 | 4 | 5 | 6

/** Depths (1 to 6, as the text has them) of the headings that the next one stands under, outermost first. */
export type Outline = readonly number[]

const LEVELS = new WeakMap<Token, HeadingLevel>()

/** Null: a heading inside another block, which is no part of the outline. */
export function levelOf(token: Token): HeadingLevel | null {
  return LEVELS.get(token) ?? null
}

/**
 * Gives each heading a level by its place in the outline, so that no level is skipped whatever depth a model begins with: a text of `##` and
 * `####` gets levels 3 and 4. Returns the outline after the last block.
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
