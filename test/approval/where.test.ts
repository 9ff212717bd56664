import { describe, expect, it } from 'vitest'
import { comesBack, judgeCommand } from '../../main/approval/judge-command.ts'

const PLACE = { cwd: '/ws/sub', root: '/ws', home: '/home/ada' }
const judge = (command: string, place = PLACE) => judgeCommand(command, place)
const harmless = { destructive: false, beyond: false, control: null, ruins: null }

describe('a line that goes to another folder is judged by where it goes', () => {
  it.each([
    'cd ../.git/hooks && echo x > pre-commit',
    'cd .. && cd .git && cd hooks && tee pre-commit < x',
    "sh -c 'cd ../.git/hooks; cp x pre-commit'",
    "cd ../.git && sh -c 'touch hooks'",
    'pushd ../.vscode; mv x settings.json',
    'cd -- ../.husky && install x pre-commit',
    // A folder that is not there leaves the line where it was.
    'cd nowhere || echo x > .npmrc',
  ])('%j writes a control file', (line) => {
    expect(judge(line).control).not.toBeNull()
  })

  it.each(['cd "$DIR" && echo x > a', 'cd - ; echo x > a', 'cd; touch a', 'popd && cp a b', `${'cd a;'.repeat(9)} echo > b`])(
    '%j may write anywhere',
    (line) => {
      expect(judge(line)).toEqual({ ...harmless, beyond: true })
    },
  )

  it.each(['cd src && make > log', 'cd src && cp a ../b', 'cd /ws/src; touch a', 'cd "$DIR" && make', 'cd "$DIR" && make > /ws/log'])(
    '%j stays inside as far as its words say',
    (line) => {
      expect(judge(line)).toEqual(harmless)
    },
  )
})

describe('C20: what nobody removes by a signature', () => {
  it.each([
    ['rm -rf /', 'the whole file system'],
    ['rm -rf --no-preserve-root /', 'the whole file system'],
    ['rm -rf /*', 'the whole file system'],
    ['rm -rf ~', 'the home folder'],
    ['rm -rf ~/', 'the home folder'],
    ['rm -rf $HOME', 'the home folder'],
    ['rm -rf "${HOME}"/*', 'the home folder'],
    ['rm -rf /home/ada', 'the home folder'],
    ['rm -rf /home/ada/../ada/.', 'the home folder'],
    ['rm -rf /ws', 'the whole folder of this session'],
    ['rm -rf ..', 'the whole folder of this session'],
    ['rm -rf ../*', 'the whole folder of this session'],
    ['rm -rf ../.git', "git's data, and with it the history"],
    ['rm -rf ../.GIT/', "git's data, and with it the history"],
    ['ls; sudo rm -rf "/"', 'the whole file system'],
    ["bash -c 'rm -rf ~'", 'the home folder'],
    ['echo $(rm -rf /ws)', 'the whole folder of this session'],
  ])('%j would remove %s', (line, ruins) => {
    expect(judge(line).ruins).toBe(ruins)
  })

  it.each(['rm -rf *', 'rm -rf .', 'rm -rf ./*'])('%j in the folder itself would empty it', (line) => {
    expect(judge(line, { ...PLACE, cwd: '/ws' }).ruins).toBe('the whole folder of this session')
  })

  it.each(['rm -rf ../build', 'rm -rf ~/x', 'rm -rf /home', 'rm -rf .gitignore', 'rm -rf *', 'ls /', 'git rm -r .'])(
    '%j is not among it',
    (line) => {
      expect(judge(line).ruins).toBeNull()
    },
  )
})

describe('C7, C12: what it writes', () => {
  it.each([
    ['echo x > .git/hooks/pre-commit', '.git/hooks/pre-commit'],
    ['echo x >> ../AGENTS.md', '../AGENTS.md'],
    ['cp hook ../.git/hooks/', '../.git/hooks/'],
    ['mv settings.json .vscode/settings.json', '.vscode/settings.json'],
    ['ln -s x .envrc', '.envrc'],
    ['echo x | tee -a package.json', 'package.json'],
    ["sed -i 's/a/b/' package.json", 'package.json'],
    ['curl https://x -o .npmrc', '.npmrc'],
    ['touch .GIT/config', '.GIT/config'],
    ["bash -c 'echo x > .mcp.json'", '.mcp.json'],
    ['rm AGENTS.md', 'AGENTS.md'],
    ['git config core.pager less', "git's configuration"],
  ])('%j writes %s', (line, control) => {
    expect(judge(line).control).toBe(control)
  })

  it.each([
    'cat package.json',
    'cp package.json copy.json',
    'git add AGENTS.md',
    'grep x .git/config',
    'git config --get user.name',
    'git config user.name',
    'sed -n 1p package.json',
  ])('%j writes none', (line) => {
    expect(judge(line).control).toBeNull()
  })

  it.each([
    'echo x > /etc/hosts',
    'echo x >> ~/notes',
    'cp a $HOME/a',
    'cp a ../../a',
    'tee /opt/x',
    'wget -O /usr/bin/x https://x',
    'mv ../../x .',
    'for f in *; do sort $f > $f.out; done',
  ])('%j writes outside', (line) => {
    expect(judge(line)).toEqual({ ...harmless, beyond: true })
  })

  it.each(['echo x > out.txt', 'make > /tmp/log 2>&1', 'cmd > /dev/null', 'cp a ../b', 'cp /etc/hosts hosts'])(
    '%j writes inside, or nothing that lasts',
    (line) => {
      expect(judge(line)).toEqual(harmless)
    },
  )

  const ROOT = { ...PLACE, cwd: PLACE.root }
  it.each([
    ...['cd b && touch ../z', 'cd b && cp x ../y2', '(cd b && touch ../w)', 'pushd b && touch ../u', 'cd b && cd c && touch ../../z'],
    ...[
      'make && cd b && touch ../z',
      'cd b && make && touch ../z',
      "cd 'b c' && (touch ../z)",
      'cd b && rm ../z',
      'cd /ws/b && echo > ../z',
    ],
    ...['cd b &&\ntouch ../z', 'cd b && pushd c && touch ../../z', 'x || make && cd b && touch ../z'],
  ])('behind a cd that must go well %j writes inside', (line) => {
    expect(judge(line, ROOT).beyond).toBe(false)
  })

  it.each([
    ...['cd b; touch ../z', 'cd b || touch ../z', 'cd b & touch ../z', 'cd b | touch ../z', '! cd b && touch ../z', '(cd b) && touch ../z'],
    ...[
      'x || cd b && touch ../z',
      'true | cd b && touch ../z',
      'cd b && true; touch ../z',
      'cd b && x || touch ../z',
      'cd b && touch ../../z',
    ],
    ...['echo $(cd b) && touch ../z', 'x && echo $(cd b) && touch ../z', 'x && echo `cd b` && touch ../z', 'cd $b && touch ../z'],
    ...['cd b && cd - && touch ../z', '{ cd b; } && touch ../z', 'CDPATH=/ cd b && touch ../z', 'if cd b; then x; fi && touch ../z'],
    ...['{ cd b; touch ../z; }', '{ cd b && true; } && touch ../z', '{ cd b && true; }; touch ../z', '{ cd b || touch ../z; }'],
    ...['x || { cd b && touch ../z; }', '! { cd b && touch ../z; }', 'x | { cd b && touch ../z; }', '{ cd b & } && touch ../z'],
    ...['{ cd b && cd .. && touch ../z; }', '{ cd b && touch ../../z; }', 'f() { cd b && touch ../z; }; f; f', '"{" cd b && touch ../z'],
    ...['while x; do { cd b && touch ../../z; }; done', '{ { cd b && touch ../z; }; touch ../z; }', '{ cd b && touch x; } > ../z'],
    ...['cd b && echo $(cd c && true) && touch ../../z', 'cd b && cd .. && touch ../z', 'cd && touch z', 'cd b c && touch ../z'],
  ])('where a cd may not have been, or gone elsewhere, %j is judged for both places', (line) => {
    expect(judge(line, ROOT).beyond).toBe(true)
  })
})

describe('a shell that stands outside', () => {
  const outside = { ...PLACE, cwd: '/elsewhere' }
  it.each(['cd /ws', 'cd -', 'cd', 'exit', 'pwd', 'cd /ws && npm test', 'cd /ws/sub && make && touch ../x', 'cd .. && pwd; exit 3'])(
    'comes back, or does nothing there, with %j',
    (line) => {
      expect(comesBack(line, outside)).toBe(true)
    },
  )

  it.each([
    ...[
      'ls',
      'cd /ws; ls',
      'cd /ws || ls',
      'cd .. && ls',
      'cd > x',
      'pwd > x',
      'cd $(ls)',
      'cd <(ls)',
      'exit; ls',
      'cd /wsx && ls',
      'cd ws && ls',
    ],
    ...['cd /ws && ls; ls', 'env -C /elsewhere ls', 'cd /ws && env -C .. ls', '$x', 'cd /ws && cd .. && ls', 'cd <<X\n$(ls)\nX', ''],
  ])('does not with %j', (line) => {
    expect(comesBack(line, outside)).toBe(false)
  })
})
