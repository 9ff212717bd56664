import { type ExactPiece, exactPieces } from '../../../shared/lib/hidden-characters.ts'

/**
 * Maximum share of a line that may be marked. If more is marked, the line has no distinguishable words, and the marks would only be
 * noise.
 */
const MAX_MARKED = 0.7

/**
 * Adds to the drawn rows what the library does not draw: the old number beside the new one, folds that have our labels and can be reached
 * with the keyboard, and names in place of invisible characters. Only rows near the visible part are drawn, so this is cheap.
 */
export function decorateDiff(host: HTMLElement): void {
  for (const code of host.shadowRoot?.querySelectorAll<HTMLElement>('[data-code]') ?? []) {
    const gutter = code.querySelector<HTMLElement>('[data-gutter]')
    const content = code.querySelector<HTMLElement>('[data-content]')
    if (!gutter || !content) continue
    const numbers = gutter.children
    ;[...content.children].forEach((row, at) => {
      // This function is called after each scroll step, when most rows are already decorated.
      if (row.hasAttribute('data-done') && numbers[at]?.hasAttribute('data-old')) return
      if (row instanceof HTMLElement && row.dataset['lineType'] !== undefined) decorateRow(row, numbers[at])
    })
    for (const fold of gutter.querySelectorAll<HTMLElement>('[data-unmodified-lines]')) decorateFold(fold, content)
  }
}

function decorateRow(row: HTMLElement, number: Element | undefined): void {
  const { lineType, line, altLine } = row.dataset
  if (number instanceof HTMLElement && line !== undefined) number.dataset['old'] = (lineType === 'change-deletion' ? line : altLine) ?? ''
  if (line === undefined || row.dataset['done'] !== undefined) return
  row.dataset['done'] = ''
  const text = row.textContent
  // Few lines have hidden characters, and the texts of a line are many.
  if (exactPieces(text).some(isHidden)) nameHiddenCharacters(row)
  if (lineType === 'change-addition' || lineType === 'change-deletion') dropNoise(row, text.trim().length)
}

const isHidden = ({ kind }: ExactPiece): boolean => kind === 'hidden'

function dropNoise(row: HTMLElement, length: number): void {
  const marked = [...row.querySelectorAll('[data-diff-span]')].reduce((sum, span) => sum + span.textContent.trim().length, 0)
  if (marked > MAX_MARKED * length) row.dataset['marks'] = 'none'
}

/** Shows the names of characters that are invisible or that reorder others, because the user signs these bytes. */
function nameHiddenCharacters(row: HTMLElement): void {
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node instanceof Text) texts.push(node)
  for (const text of texts) {
    const pieces = exactPieces(text.data.replace(/\r?\n$/, ''))
    if (!pieces.some(isHidden)) continue
    text.replaceWith(
      ...pieces.map((piece) => {
        if (piece.kind === 'text') return piece.text
        const mark = document.createElement('mark')
        mark.dataset['hidden'] = ''
        mark.title = 'A character that cannot be seen'
        mark.textContent = piece.code
        return mark
      }),
    )
  }
}

function decorateFold(fold: HTMLElement, content: HTMLElement): void {
  if (fold.role === 'button') return
  fold.textContent = fold.textContent.replace('unmodified', 'unchanged')
  const index = fold.closest<HTMLElement>('[data-expand-index]')?.dataset['expandIndex']
  // Without an index, the fold cannot be opened, so it is text and not a button.
  if (index === undefined) return
  // The complete band looks like a button, so all of it can be pressed.
  content.querySelector<HTMLElement>(`[data-expand-index="${index}"]`)?.addEventListener('click', () => fold.click())
  fold.role = 'button'
  fold.tabIndex = 0
  fold.ariaLabel = `Show ${fold.textContent}`
  fold.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    event.stopPropagation()
    fold.click()
  })
}
