import { describe, expect, it } from 'vitest'
import { judgeCommand } from '../../main/approval/judge-command.ts'

const ROOT = { cwd: '/ws', root: '/ws', home: '/home/ada' }
const goesBeyond = (line: string, place: object = ROOT) => judgeCommand(line, { ...ROOT, ...place }).beyond

describe('behind `cd x || exit` a line goes on in x, or not at all', () => {
  it.each([
    ...['cd b || exit 1; touch ../z', 'cd b || exit; touch ../z', 'cd b || exit 1\ntouch ../z', "cd 'b c' || exit 1; touch ../z"],
    ...[
      'cd b || exit 1; make && touch ../z',
      'cd b/c || exit 2; touch ../../z',
      'cd b||exit 1;touch ../z',
      'cd b || exit 1; cp x ../y; rm ../z',
    ],
    ...['cd b || exit 1; if x; then touch ../z; fi', 'cd b || exit 1; cd c && touch ../../z', '  cd b || exit 1 ; touch ../z'],
  ])('%j writes inside', (line) => {
    expect(goesBeyond(line)).toBe(false)
  })

  it.each([
    ...[
      'cd b || exit 1; touch ../../z',
      'cd b || exit 1; cd ..; touch ../z',
      'cd b || exit 1; cd - ; touch z',
      'cd b || exit 1; touch /etc/z',
    ],
    ...[
      'cd b || exit 1 & touch ../z',
      'cd b || exit 1 | cat; touch ../z',
      'cd b | cat || exit 1; touch ../z',
      'cd b |& exit 1; touch ../z',
    ],
    ...[
      '(cd b || exit 1); touch ../z',
      '{ cd b || exit 1; }; touch ../z',
      '(cd b || exit 1; true); touch ../z',
      'x; cd b || exit 1; touch ../z',
    ],
    ...[
      'true || cd b || exit 1; touch ../z',
      '! cd b || exit 1; touch ../z',
      'x & cd b || exit 1; touch ../z',
      'x | cd b || exit 1; touch ../z',
    ],
    ...['cd b || echo x; touch ../z', 'cd b || return 1; touch ../z', 'cd b || exit 1 2; touch ../z', 'cd b || exit $x; touch ../z'],
    ...['cd b || exit x; touch ../z', 'cd b || $exit; touch ../z', 'cd b || command exit; touch ../z', 'cd b && exit 1; touch ../z'],
    ...[
      'cd $b || exit 1; touch ../z',
      'cd b* || exit 1; touch ../z',
      'cd .. || exit 1; touch z',
      'cd b/../.. || exit 1; touch z',
      'cd -P b || exit 1; touch ../z',
    ],
    ...[
      'cd b c || exit 1; touch ../z',
      'cd - || exit 1; touch z',
      'cd || exit 1; touch z',
      'cd ~ || exit 1; touch z',
      'CDPATH=/ cd b || exit 1; touch ../z',
    ],
    ...['cd b || exit 1; f() { cd ..; }; f; touch ../z', "cd b || exit 1; eval 'cd ..'; touch ../z", 'cd b || exit 1 > ../z; touch z'],
    ...[
      'f() { cd b || exit 1; touch ../z; }; f; f',
      'if cd b || exit 1; then x; fi; touch ../../z',
      'cd b || exit 1 && true; cd ..; touch ../z',
    ],
    ...[
      'cd b || exit 1 <<X\n; touch ../z\nX\ntouch ../z',
      'cd b || exit 1 $(x); touch ../z',
      'cd b || exit 1; set -P; cd c/..; touch ../../z',
    ],
    ...[
      'while x; do cd b || exit 1; touch ../../z; done',
      'case x in y) cd b || exit 1;; esac; touch ../z',
      'cd b || (exit 1); touch ../z',
    ],
    ...[
      'cd b || { exit 1; }; touch ../z',
      'time cd b || exit 1; touch ../../z',
      'echo a; (cd b || exit 1; touch ../../z)',
      'cd b || exit 1 \\& touch ../z; touch ../z',
    ],
  ])('%j is asked for', (line) => {
    expect(goesBeyond(line)).toBe(true)
  })

  it.each([
    ['cd b || exit 1; rm -rf ../*', { ruins: 'the whole folder of this session', destructive: true }],
    ['cd .git || exit 1; cp x hooks/pre-commit', { control: 'hooks/pre-commit' }],
    ['cd b || exit 1; echo x > ../.npmrc', { control: '../.npmrc' }],
    ['cd b || exit 1; rm -rf ../../x', { destructive: true, beyond: true }],
  ])('%j keeps what is special about it', (line, judgement) => {
    expect(judgeCommand(line, ROOT)).toMatchObject(judgement)
  })

  it('in a shell that lives on, where cd and exit may be other words by now, it says nothing', () => {
    expect(goesBeyond('cd b || exit 1; touch ../z', { lasts: true })).toBe(true)
  })
})
