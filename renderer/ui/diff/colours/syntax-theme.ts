import { registerCustomTheme } from '@pierre/diffs'

/** The highlighter's name for our only theme. */
export const SYNTAX_THEME = 'countersign'

interface TokenColour {
  readonly scope: readonly string[]
  readonly settings: { readonly foreground?: string; readonly fontStyle?: string }
}

/**
 * Nearly monochrome: keywords are bold, strings and types have a hue, comments are italic. The colors are our custom properties, so one
 * theme serves light and dark, and nothing is highlighted again when the appearance changes.
 */
const TOKENS: readonly TokenColour[] = [
  { scope: ['comment', 'punctuation.definition.comment'], settings: { foreground: 'var(--text-3)', fontStyle: 'italic' } },
  {
    scope: [
      'string',
      'string.regexp',
      'constant.numeric',
      'constant.character.escape',
      'markup.inline.raw',
      'markup.fenced_code',
      'meta.template.expression punctuation.definition',
    ],
    settings: { foreground: 'var(--syn-string)' },
  },
  {
    scope: [
      'keyword',
      'storage.type',
      'storage.modifier',
      'constant.language',
      'variable.language',
      'markup.heading',
      'markup.bold',
      'keyword.control.at-rule',
    ],
    settings: { fontStyle: 'bold' },
  },
  { scope: ['keyword.operator', 'storage.type.function.arrow'], settings: { foreground: 'var(--text-1)', fontStyle: '' } },
  { scope: ['string.regexp keyword', 'string.regexp punctuation'], settings: { foreground: 'var(--syn-string)', fontStyle: '' } },
  { scope: ['keyword.operator.new', 'keyword.operator.expression', 'keyword.operator.logical.python'], settings: { fontStyle: 'bold' } },
  {
    scope: [
      'entity.name.type',
      'entity.name.class',
      'entity.other.inherited-class',
      'support.type',
      'support.class',
      'entity.name.tag',
      'new.expr entity.name.function',
    ],
    settings: { foreground: 'var(--syn-type)' },
  },
  {
    scope: ['support.type.property-name', 'meta.object-literal.key', 'variable'],
    settings: { foreground: 'var(--text-1)', fontStyle: '' },
  },
  { scope: ['meta.embedded', 'meta.template.expression'], settings: { foreground: 'var(--text-1)' } },
  { scope: ['markup.italic'], settings: { fontStyle: 'italic' } },
  { scope: ['markup.inserted'], settings: { foreground: 'var(--green)' } },
  { scope: ['markup.deleted'], settings: { foreground: 'var(--red)' } },
  { scope: ['meta.diff.range', 'meta.diff.header'], settings: { foreground: 'var(--text-3)' } },
]

/** Registers the theme with the highlighter. Called once per page. */
export function registerSyntaxTheme(): void {
  registerCustomTheme(SYNTAX_THEME, () =>
    Promise.resolve({
      name: SYNTAX_THEME,
      type: 'light',
      colors: { 'editor.foreground': 'var(--text-1)', 'editor.background': 'var(--under, var(--paper))' },
      settings: [
        { settings: { foreground: 'var(--text-1)', background: 'var(--under, var(--paper))' } },
        ...TOKENS.map(({ scope, settings }) => ({ scope: [...scope], settings })),
      ],
    }),
  )
}
