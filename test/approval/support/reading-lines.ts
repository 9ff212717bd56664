import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'

const lines = (name: string): readonly string[] => JSON.parse(readFileSync(join(import.meta.dirname, '../lines', `${name}.json`), 'utf8'))

/** Every hand-written line of the approval tests. */
export const CORPUS: readonly string[] = [
  ...new Set(['reads', 'not-proven', 'asks-in-full', 'passes-in-full', 'removes', 'destroys', 'barred'].flatMap(lines)),
]

const program = fc.constantFrom(
  ...'ls cat head tail wc sort uniq grep rg find sed awk diff cut tr stat file date git echo printf test cd tee rm xxd tree jq od'.split(
    ' ',
  ),
  'git log',
  'git status',
  'git diff',
  'git show',
  'git branch',
  'git config',
  'git grep',
  'command -v',
  "r''m",
  'node --version',
)
const flag = fc.constantFrom(
  ...'-n -l -r -o -i -f -c -v -e -p -s -z -x -w -R -L -O -C --output --output=out --pre=id -exec -delete -name -print -fprint'.split(' '),
  '--',
  '-',
  '-n1',
  '-20',
  '--stat',
  '--oneline',
  '--include=*.ts',
  '-oout',
  '--files0-from=x',
  '-newer',
  '+%s',
  '--ext-diff',
  '-ni',
)
const operand = fc.constantFrom(
  ...'a.ts b.txt src .env link link/x ../out out * *.ts *.txt src/*.ts ~ ~/x /etc/hosts $x "$x" $(ls) `ls` {a,b}.ts HEAD'.split(' '),
  "'1,2p'",
  "'s/a/b/'",
  "'s/a/b/w out'",
  "'1e id'",
  "'{print $1}'",
  '\'{print > "out"}\'',
  '.',
  '"a b"',
  "$'a'",
  '\\;',
  '{}',
  '1',
)
const redirect = fc.constantFrom(
  '',
  '',
  '',
  '',
  '> out',
  '2>/dev/null',
  '2>&1',
  '>> out',
  '< a.ts',
  '&> out',
  '> /dev/null',
  '<<< x',
  '>&2',
  '<> out',
)
const simple = fc
  .tuple(program, fc.array(fc.oneof({ weight: 2, arbitrary: operand }, flag), { maxLength: 3 }), redirect)
  .map(([name, words, rest]) => [name, ...words, rest].filter((word) => word !== '').join(' '))
const joint = fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n', ' & ', ' |& ')

/** Text that may surround a line: each key precedes the line, and its value follows the line. */
const CLOSING: Readonly<Record<string, string>> = {
  '( ': ' )',
  '{ ': '; }',
  '! ': '',
  'if ': '; then ls; fi',
  'for i in a; do ': '; done',
  'while ': '; do break; done',
  'until ': '; do break; done',
  'case x in x) ': ' ;; esac',
  'f() { ': '; }; f',
  'time ': '',
  'coproc ': '',
  // These are substitutions, arrays, arithmetic and here-documents.
  'echo $(': ' )',
  'echo "$(': ' )"',
  'cat <(': ' )',
  'a=($(': ' ))',
  'echo ${x:-$(': ' )}',
  'echo $((a[$(': ' )]))',
  'cat <<E\n$(': ' )\nE',
  // These words start other programs, or change where and how programs run.
  'eval ': '',
  'command ': '',
  'exec ': '',
  'env ': '',
  'timeout 5 ': '',
  'ls | xargs ': '',
  'find . -exec ': ' {} +',
  "bash -c '": "'",
  "git -c alias.z='!": "' z",
  "trap '": "' EXIT",
  'cd src && ': '',
  'cd link; ': '',
  'PAGER=id ': '',
}

/** Random lines built from pieces of bash's grammar. */
export const madeLine: fc.Arbitrary<string> = fc.letrec<{ readonly line: string }>((tie) => ({
  line: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.tuple(simple, fc.array(fc.tuple(joint, simple), { maxLength: 2 })).map(([first, rest]) => first + rest.flat().join('')),
    },
    fc.tuple(fc.constantFrom(...Object.keys(CLOSING)), tie('line')).map(([open, line]) => open + line + (CLOSING[open] ?? '')),
    fc.tuple(tie('line'), fc.constantFrom(' && ', ' || ', '; ', ' | '), tie('line')).map((parts) => parts.join('')),
  ),
})).line
