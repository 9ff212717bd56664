import type { SlashCommand } from './slash-command.ts'

/**
 * A piece of a command's text after its arguments were filled in. The output of a command and the content of a file are inserted
 * unchanged, and placeholders in them have no effect.
 */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'file'; readonly path: string }

/** Fills in the arguments and finds the commands to run and the files to include. */
export function piecesOf(
  { syntax, body, argumentNames }: Pick<SlashCommand, 'syntax' | 'body' | 'argumentNames'>,
  args: string,
): readonly Piece[] {
  switch (syntax) {
    case 'claude':
      return claudePieces(body, args, argumentNames)
    case 'codex':
      return [{ kind: 'text', text: filledCodex(body, args) }]
    case 'gemini':
      return geminiPieces(body, args)
  }
}

/** Splits a line into words, with quotes and backslashes as in a shell. Expands nothing. */
export function wordsOf(args: string): readonly string[] {
  return [...args.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/gu)].map(([word]) =>
    word.replaceAll(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gu, (_, double?: string, single?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? '') : double.replaceAll(/\\(["\\$`])/gu, '$1'),
    ),
  )
}

/**
 * `$0` and `$ARGUMENTS[0]` stand for the first word. A placeholder for a word that is missing is left unchanged. If the text has no
 * placeholder, the arguments are appended.
 */
function claudePieces(body: string, args: string, names: readonly string[]): readonly Piece[] {
  const words = wordsOf(args)
  let isUsed = false
  const filled = (text: string): string =>
    text.replaceAll(
      /\$(?:ARGUMENTS\[(\d+)\]|(ARGUMENTS)\b|(\d+)|([A-Za-z_]\w*))/gu,
      (whole, index?: string, all?: string, at?: string, name?: string) => {
        const named = name === undefined ? -1 : names.indexOf(name)
        if (name !== undefined && named === -1) return whole
        isUsed = true
        if (all !== undefined) return args
        return words[name === undefined ? Number(index ?? at) : named] ?? whole
      },
    )
  const pieces = pieced(
    body,
    /(?<=^|\s)!`([^`\n]+)`|^```!\s*\n([\s\S]*?)\n```[ \t]*$|(?<=^|[\s(])@((?:[\w.~/-]|\\ )+[\w/])/gmu,
    ([whole, inline, block, path]) => {
      const command = inline ?? block
      if (command !== undefined) return { kind: 'run', command: filled(command) }
      return path === undefined ? { kind: 'text', text: whole } : { kind: 'file', path: filled(path).replaceAll(String.raw`\ `, ' ') }
    },
  ).map((piece): Piece => (piece.kind === 'text' ? { kind: 'text', text: filled(piece.text) } : piece))
  return isUsed || args === '' ? pieces : [...pieces, { kind: 'text', text: `\n\nARGUMENTS: ${args}` }]
}

/** `$1` stands for the first word, `$NAME` for the value of `NAME=value`, and `$$` for a dollar sign. */
function filledCodex(body: string, args: string): string {
  const words = wordsOf(args)
  const named = new Map(
    words.flatMap((word) =>
      /^([A-Z][A-Z0-9_]*)=([\s\S]*)$/u.exec(word) ? [[word.split('=', 1)[0] ?? '', word.slice(word.indexOf('=') + 1)] as const] : [],
    ),
  )
  const others = words.filter((word) => !/^[A-Z][A-Z0-9_]*=/u.test(word))
  return body.replaceAll(/\$(?:(\$)|(\d)|([A-Z][A-Z0-9_]*))/gu, (whole, dollar?: string, at?: string, name?: string) => {
    if (dollar !== undefined) return '$'
    if (name === 'ARGUMENTS') return args
    return (name === undefined ? others[Number(at) - 1] : named.get(name)) ?? whole
  })
}

/** Inside `!{…}`, the arguments are quoted for the shell. */
function geminiPieces(body: string, args: string): readonly Piece[] {
  const isUsed = body.includes('{{args}}')
  const quoted = `'${args.replaceAll("'", String.raw`'\''`)}'`
  const pieces = pieced(body, /([!@])\{((?:[^{}]|\{[^{}]*\}|\{\{[^{}]*\}\})*)\}/gu, ([whole, sign, inner]) => {
    if (inner === undefined) return { kind: 'text', text: whole }
    return sign === '!'
      ? { kind: 'run', command: inner.replaceAll('{{args}}', quoted).trim() }
      : { kind: 'file', path: inner.replaceAll('{{args}}', args).trim() }
  }).map((piece): Piece => (piece.kind === 'text' ? { kind: 'text', text: piece.text.replaceAll('{{args}}', args) } : piece))
  return isUsed || args === '' ? pieces : [...pieces, { kind: 'text', text: `\n\n${args}` }]
}

function pieced(body: string, pattern: RegExp, pieceOf: (match: RegExpExecArray) => Piece): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of body.matchAll(pattern)) {
    pieces.push({ kind: 'text', text: body.slice(from, match.index) }, pieceOf(match))
    from = match.index + match[0].length
  }
  return [...pieces, { kind: 'text', text: body.slice(from) }]
}
