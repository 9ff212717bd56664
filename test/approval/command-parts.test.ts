import type { CommandPart } from '../../shared/session/effects.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandParts } from '../../main/approval/command-line/command-parts.ts'
import { judgeCommand } from '../../main/approval/command-line/judge-command.ts'
import { createPolicy } from '../../main/approval/policy.ts'
import { commandEffect } from '../support/effects.ts'

const PLACE = { cwd: '/code/app', root: '/code/app', home: '/home/me' }

function partsOf(command: string): readonly CommandPart[] {
  const judgement = judgeCommand(command, PLACE)
  return judgement === null ? [] : commandParts(command, judgement)
}

/** Returns each part of the command with the operator that joins it to the previous part. */
const read = (command: string) => partsOf(command).map(({ operator, text }) => (operator === '' ? text : `${operator} ${text}`))

describe('the parts of a command line', () => {
  it.each([
    ['npm ci && npm test | tee log.txt', ['npm ci', '&& npm test', '| tee log.txt']],
    ['a || b; c', ['a', '|| b', '; c']],
    ['a |& b', ['a', '|& b']],
    ['a\nb &&\n  c', ['a', 'b', '&& c']],
    ['sleep 5 & echo on', ['sleep 5', '& echo on']],
    ['npm start & npm test &', ['npm start', '& npm test &']],
    [`echo "a && b" && echo 'c; d' > out.txt 2>&1`, ['echo "a && b"', `&& echo 'c; d' > out.txt 2>&1`]],
    ['x=$(cat a | wc -l) && echo $x', ['x=$(cat a | wc -l)', '&& echo $x']],
    ['echo `a; b` | c', ['echo `a; b`', '| c']],
    ['[[ -f a && -f b ]] && rm a', ['[[ -f a && -f b ]]', '&& rm a']],
    ['cmd &> all.log; next', ['cmd &> all.log', '; next']],
    ['echo a \\\n  b && c', ['echo a \\\n  b', '&& c']],
    ['echo a # b && c\nd', ['echo a # b && c', 'd']],
    ['echo $((1 + 2)) && b', ['echo $((1 + 2))', '&& b']],
  ])('of %j are listed separately, in order', (command, parts) => {
    expect(read(command)).toEqual(parts)
  })

  it.each([
    'npm test',
    'for f in *; do echo $f; done',
    'if a; then b; fi',
    '(cd a && b) && c',
    '{ a; b; } && c',
    'f() { a; }; f',
    'case $x in a) b;; esac',
    "cat <<'EOF' && b\na; c\nEOF",
    'a\r\nb',
  ])('of %j are not listed, because it is a single command or not a plain list', (command) => {
    expect(read(command)).toEqual([])
  })

  it('contain every character of the line except the spaces and newlines between the parts', () => {
    const piece = fc.constantFrom(
      'a',
      'rm -rf b',
      '"c d"',
      "'e",
      '$(f; g)',
      '`h`',
      '&&',
      '||',
      '|',
      ';',
      '&',
      '\n',
      ' ',
      '\\',
      '#',
      '(',
      ')',
      '>',
      '<<',
      '\u00a0',
      '{',
      '}',
      '[[',
      ']]',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const command = pieces.join(' ')
        const parts = partsOf(command)
        if (parts.length === 0) return
        const bare = (text: string): string => text.replace(/[ \t\n]/g, '')
        expect(bare(parts.map(({ operator, text }) => operator + text).join(''))).toBe(bare(command))
      }),
    )
  })

  it('are shown with the request, and do not change what is executed', async () => {
    const policy = createPolicy({ root: '/project', home: null })
    const effect = commandEffect('a && b', { cwd: '/project' })
    expect(await policy.look([effect])).toEqual([
      {
        ...effect,
        parts: [
          { operator: '', text: 'a' },
          { operator: '&&', text: 'b' },
        ],
      },
    ])
    expect(await policy.look([{ ...effect, command: 'a' }])).toEqual([{ ...effect, command: 'a' }])
  })
})

describe('each part that requires a signature has a note with the reason', () => {
  it.each([
    ['no part needs a note', 'npm ci && npm test', [null, null]],
    ['one part deletes data', 'npm ci && rm -rf dist && npm test', [null, 'may delete data', null]],
    [
      'two parts delete data, and each has its own note',
      'rm -rf dist; git push --force origin main',
      ['may delete data', 'may delete data'],
    ],
    ['an earlier part leaves the folder', 'cd .. && touch other.txt', [null, 'may reach outside the folder']],
    ['a part writes a control file', 'echo x > .git/hooks/pre-commit; ls', ['writes .git/hooks/pre-commit', null]],
    ['a part passes a script to a shell', "ls; sh -c 'rm -r dist'", [null, 'may delete data']],
  ])('%s', (_, command, notes) => {
    expect(partsOf(command).map(({ note = null }) => note)).toEqual(notes)
  })
})
