import { describe, expect, it } from 'vitest'
import { comesBack } from '../../main/approval/judge-command.ts'
import { createPolicy } from '../../main/approval/policy.ts'

const policy = createPolicy({ root: '/ws', home: '/home/ada' })
const command = { kind: 'command', cwd: '/ws', outside: false, env: {}, timeoutMs: 1000, destructive: false } as const
const verdict = (line: string): string => policy.judge([{ ...command, command: line }], 'full').kind
const inLasting = (line: string): string => policy.judge([{ ...command, command: line, way: 'shell' }], 'full').kind

describe('a shell that something else may move is where it was no more', () => {
  it.each([
    "cd d1 && eval 'cd ..' && touch ../escaped",
    "cd d1 && command eval 'cd ..' && touch ../escaped",
    "cd d1 && e'va'l 'cd ..' && touch ../escaped",
    "eval 'cd ..' && touch escaped",
    'eval cd ..; touch escaped',
    'cd d1 && . ../s.sh && touch ../escaped',
    'cd d1 && source ../s.sh && touch ../escaped',
    ". /dev/stdin <<< 'cd ..'; touch escaped",
    "cd d1 && trap 'cd ..' DEBUG && touch ../escaped",
    "trap 'cd ..' DEBUG; touch a; touch b",
    'cd d1 && up && touch ../escaped',
    'cd d1 && ls && up && touch ../escaped',
    'cd d1 && builtin cd .. && touch ../escaped',
    'cd d1 && command cd .. && touch ../escaped',
    'cd d1 && shopt -s autocd && .. && touch ../escaped',
    'up(){ cd ..; }; cd d1; up; up; touch escaped',
    'function up { ls; cd ..; }; up; touch escaped',
    "alias up='cd ..'; up; touch escaped",
    'cd(){ builtin cd ..; }; cd d1 && touch escaped',
    'function f { touch ../x; }; f',
    'function f { rm -rf ~; }; f',
  ])('%j asks', (line) => expect(verdict(line)).not.toBe('allow'))

  it.each([
    'CDPATH=..; cd q1 && touch ../escaped',
    'CDPATH=..; cd q1 && touch escaped',
    'export CDPATH=..; cd q1 && touch escaped',
    'read CDPATH <<< ..; cd q1 && touch escaped',
    'for CDPATH in ..; do :; done; cd q1 && touch escaped',
    "eval 'CDPATH=..'; cd q1; touch escaped",
    'CDPATH=..; cd q1; rm -rf x',
  ])('so does one whose folders are looked for elsewhere: %j', (line) => expect(verdict(line)).toBe('ask'))

  it.each([
    'cd d1 && for i in 1 2 3; do cd .. && touch escaped; done',
    'for x in 1 2 3; do cd ..; done && touch escaped',
    'for x in 1 2 3; do touch escaped; cd ..; done',
    'for ((i=0;i<3;i++)); do cd ..; done; touch escaped',
    'while true; do cd ..; touch escaped; done',
    'while cd ..; do touch escaped; done',
    'until touch escaped; do cd ..; done',
    'for i in 1 2; do cd ..; done; rm -rf x',
  ])('so does one that a loop moves again and again: %j', (line) => expect(verdict(line)).toBe('ask'))

  it.each([
    'cd -P lk/.. && touch escaped',
    'cd lk && cd -P .. && touch escaped',
    'cd lk; pushd -P ..; touch escaped',
    'set -P; cd lk/..; touch escaped',
    'set -euPo pipefail; cd lk/..; touch escaped',
    'set -o physical; cd lk/.. && touch escaped',
    "bash -Pc 'cd lk/.. && touch escaped'",
  ])('so does one that goes up from where a link leads: %j', (line) => expect(verdict(line)).toBe('ask'))

  it.each([
    'cd b && touch ../z',
    'cd b && cp x ../y2',
    '(cd b && touch ../w)',
    'cd b && npm test',
    'cd a && ls && touch x',
    'cd a && ls && touch ../x',
    'cd b && git add -A && git commit -m x && touch ../z',
    'export A=1 && cd b && touch ../z',
    'set -euo pipefail; cd b && touch ../z',
    'cd b && ./run.sh && touch ../z',
    'cd a/.. && touch x',
    'CDPATH= cd b && touch x',
    'source .venv/bin/activate && pytest > log',
    'f() { echo x; }; f > log',
    'while read l; do echo $l >> out; done < in',
    'trap "rm -f tmp" EXIT; touch tmp',
    "eval 'echo x > y'",
  ])('everyday work passes: %j', (line) => expect(verdict(line)).toBe('allow'))
})

describe('a shell that lives on', () => {
  it.each([
    'export CDPATH=..',
    'CDPATH=..',
    'up(){ cd ..; }',
    "alias up='cd ..'",
    'function cd { builtin cd ..; }',
    'cd () { return 0; }',
    'alias cd=true',
    'set -P',
    'shopt -s autocd',
    "trap 'cd ..' DEBUG",
    "eval 'up(){ cd ..; }'",
  ])('is not made to go elsewhere than later lines say, unasked: %j', (line) => expect(inLasting(line)).toBe('ask'))

  it.each([
    'cd q1 && touch ../escaped',
    'cd d1 && up && touch ../escaped',
    'cd ./d1 && up && touch ../escaped',
    'up && cd ./d1 && touch ../escaped',
  ])('may have been by an earlier line: %j asks', (line) => expect(inLasting(line)).toBe('ask'))

  it('comes back to the folder only as far as its words are sure of it', () => {
    const away = { cwd: '/elsewhere', root: '/ws', home: null, lasts: true }
    expect([comesBack('cd /ws && npm ci && npm test', away), comesBack('cd /ws && up && npm test', away)]).toEqual([true, false])
  })

  it.each([
    'cd b && npm test',
    'cd a && ls && touch x',
    'cd ./b && touch ../z',
    'cd /ws/b && cp x ../y2',
    'cd b; make > log',
    'cd ..',
    'f() { echo x; }; f',
    'source .venv/bin/activate && pip install x',
    'set -euo pipefail',
    'alias ll="ls -l"',
    "trap 'echo bye' EXIT",
    "cat > x.sh <<'EOF'\nf() { cd x; }\nEOF",
  ])('works as ever: %j', (line) => expect(inLasting(line)).toBe('allow'))
})
