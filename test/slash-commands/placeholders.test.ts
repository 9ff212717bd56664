import { describe, expect, it } from 'vitest'
import { type Piece, piecesOf, wordsOf } from '../../main/slash-commands/placeholders.ts'
import type { SlashCommand } from '../../main/slash-commands/slash-command.ts'
import { calledCommand } from '../../shared/session/called-command.ts'

const shown = (pieces: readonly Piece[]): string =>
  pieces
    .map((piece) => (piece.kind === 'text' ? piece.text : piece.kind === 'run' ? `<run ${piece.command}>` : `<file ${piece.path}>`))
    .join('')

const filled = (syntax: SlashCommand['syntax'], body: string, args: string, argumentNames: readonly string[] = []): string =>
  shown(piecesOf({ syntax, body, argumentNames }, args))

describe('arguments of Markdown commands in Claude Code’s syntax', () => {
  it.each([
    ['all arguments', 'Fix issue $ARGUMENTS now', '12 high', 'Fix issue 12 high now'],
    ['$0 is the first argument, and $1 the second', 'Compare $0 with $1', '"a b" c', 'Compare a b with c'],
    ['an argument by its index', 'Look at $ARGUMENTS[1]', 'a b', 'Look at b'],
    ['a placeholder without an argument is kept', 'From $0 to $1', 'a', 'From a to $1'],
    ['arguments are appended if there is no placeholder', 'Fix it', 'the bug', 'Fix it\n\nARGUMENTS: the bug'],
    ['no arguments are given', 'Fix it', '', 'Fix it'],
    ['other dollar signs are kept', 'Costs $5x and $PATH: $ARGUMENTS', 'a', 'Costs $5x and $PATH: a'],
    ['placeholders inside arguments are not expanded', 'Say $ARGUMENTS', '$0 !`rm x` @f', 'Say $0 !`rm x` @f'],
  ])('%s', (_name, body, args, expected) => {
    expect(filled('claude', body, args)).toBe(expected)
  })

  it('fills in named arguments', () => {
    expect(filled('claude', 'Move $file to $target, not $other', 'a.ts b.ts', ['file', 'target'])).toBe('Move a.ts to b.ts, not $other')
  })
})

describe('shell commands and files in the text of a slash command', () => {
  it.each([
    ['claude', 'Status: !`git status`\nGo', '', 'Status: <run git status>\nGo'],
    ['claude', 'Not code`!`x`', '', 'Not code`!`x`'],
    ['claude', 'Run\n```!\nnpm test\nnpm run lint\n```\nend', '', 'Run\n<run npm test\nnpm run lint>\nend'],
    ['claude', 'Log !`git log -n $0`', '5', 'Log <run git log -n 5>'],
    ['claude', 'Read @src/a.ts, and write to me@example.com.', '', 'Read <file src/a.ts>, and write to me@example.com.'],
    ['gemini', 'Log !{git log {{args}}} of {{args}}', "it's", `Log <run git log 'it'\\''s'> of it's`],
    ['gemini', 'See @{docs/a b.md}', '', 'See <file docs/a b.md>'],
    ['gemini', 'Do it', 'now', 'Do it\n\nnow'],
    ['codex', 'Fix $1 in $FILE for $$5, $2', 'bug FILE=src/a.ts', 'Fix bug in src/a.ts for $5, $2'],
    ['codex', 'All: $ARGUMENTS', 'a b', 'All: a b'],
  ] as const)('%s: %s', (syntax, body, args, expected) => {
    expect(filled(syntax, body, args)).toBe(expected)
  })
})

it.each([
  ['a  b', ['a', 'b']],
  [`"a b" 'c d' e\\ f`, ['a b', 'c d', 'e f']],
  [`x="1 2"y`, ['x=1 2y']],
  ['"say \\"hi\\""', ['say "hi"']],
  ['', []],
])('splits the arguments %s', (line, words) => {
  expect(wordsOf(line)).toEqual(words)
})

it.each([
  ['/review src', { name: 'review', args: 'src' }],
  [' /git:fix\n12\n13 ', { name: 'git:fix', args: '12\n13' }],
  ['/usr/bin/env is missing', null],
  ['/', null],
  ['a /review', null],
])('recognizes whether %j calls a command', (text, called) => {
  expect(calledCommand(text)).toEqual(called)
})
