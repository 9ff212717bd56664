import { describe, expect, it } from 'vitest'
import { createPolicy } from '../../main/approval/policy.ts'

const policy = createPolicy({ root: '/ws', home: '/home/ada' })
/** By this link every process reaches the whole disk under another name (C9). */
const WHOLE_DISK = '/proc/self/root'
const verdict = (command: string): string =>
  policy.judge([{ kind: 'command', command, cwd: '/ws', outside: false, env: {}, timeoutMs: 1000, destructive: false }], 'full').kind

describe('a device that keeps nothing', () => {
  it.each([
    'mv x',
    'ln -sf x',
    'ln -f x',
    'install x',
    'cp -s x',
    'cp --remove-destination x',
    'sed -i s/a/b/',
    'perl -i -pe 1',
    'rm -f',
    'rsync x',
  ])('is not written but replaced by %s, so it asks', (command) => expect(verdict(`${command} /dev/null`)).toBe('ask'))

  it.each(['cp x', 'tee', 'curl -o', 'sort -o', 'touch'])('may be written by %s', (command) =>
    expect(verdict(`${command} /dev/null`)).toBe('allow'),
  )
})

describe('reckoning', () => {
  it.each(['echo out-$((6*7))', 'i=$((i+1)); echo $i', 'for i in 1 2; do echo $(( (i + 2) * 3 )); done'])(
    'runs nothing: %s passes',
    (command) => expect(verdict(command)).toBe('allow'),
  )

  it.each([
    'echo $((x=$(tee .git/config)))',
    "x='a[$(tee .git/config)]'; echo $((x))",
    'echo $((rm -rf /) | (cat))',
    'echo x > $((1))/y',
    '$((1)) x',
  ])('is no cover: %s does not', (command) => expect(verdict(command)).not.toBe('allow'))
})

describe('reckoning with what a command prints', () => {
  it.each([
    'for i in $(seq 1 20); do echo "n: $((i*i))"; done',
    'for i in $(seq 0 5 100); do echo $((i / 5)); done',
    'n=$(wc -l < src/a.ts); echo $((n + 1))',
    'n=$(ls src | wc -l); echo $((n + 1))',
    "n=$(find . -name '*.ts' | wc -l); echo $((n*2))",
    'start=$(date +%s); make; echo $(( $(date +%s) - start ))',
    'start=$(date "+%s%N"); make; end=$(date +%s%N); echo "$(((end - start) / 1000000)) ms"',
    'make -j$(($(nproc) + 1))',
    'echo $(($(id -u) + $(expr 3 \\* 4)))',
    'n=$(grep -c test src/a.ts); echo $((n))',
  ])('passes where it is numbers alone: %s', (command) => expect(verdict(command)).toBe('allow'))

  const judged = (command: string, mode: 'full' | 'ask') =>
    policy.judge([{ kind: 'command', command, cwd: '/ws', outside: false, env: {}, timeoutMs: 1000, destructive: false }], mode)

  it.each([
    'n=$(cat count.txt); echo $((n + 1))',
    'for i in $(ls); do echo $((i)); done',
    'n=$(wc -l *); echo $((n))',
    'n=$(seq $x); echo $((n))',
    'n=$(seq `x`); echo $((n))',
    'n=$(grep -c x -r); echo $((n))',
    'seq() { cat f; }; n=$(seq 1); echo $((n))',
    'function seq { cat f; }; n=$(seq 1); echo $((n))',
    'PATH=./bin; n=$(seq 1); echo $((n))',
    'alias seq=x; n=$(seq 1); echo $((n))',
  ])('asks with its reason where it may be anything, and is no removal: %s', (command) => {
    const reason = 'It reckons with what a command prints or a file holds, and that may hold a command of its own.'
    for (const mode of ['full', 'ask'] as const) expect(judged(command, mode)).toEqual({ kind: 'ask', reason, destructive: false })
  })

  it.each(['n=$(find b -delete | wc -l); echo $((n))', 'echo $(($(cat n) + 1)); rm -rf x'])('hides no removal beside it: %s', (command) =>
    expect(judged(command, 'ask')).toMatchObject({ kind: 'ask', destructive: true }),
  )
})

describe('every other way to write or remove what asks', () => {
  it.each([
    'echo $(x) > .git/config',
    'echo "$(x)" >> AGENTS.md',
    'x=$(cat f) tee .git/config',
    'echo x | tee $(echo a) .git/config',
    'git "config" a.b c',
    'git --config-env=a=b status',
    'git --exec-path=./x status',
    'GIT_DIR=.git git config a b',
    'git config set a.b c',
    'git config --unset a.b',
    'git config -e',
    'git config -f .git/config a.b c',
    'git clone -c core.fsmonitor=x http://y',
    'git clone --config=core.hooksPath=x http://y',
    'git worktree add /etc/x',
    'git init /etc/x',
    'git -C /etc init',
    'sudo --chdir=.git tee config',
    'xargs --max-args 1 tee .git/config',
    'nice --adjustment 5 tee .git/config',
    'stdbuf -oL tee .git/config',
    'busybox tee .git/config',
    'command -p tee .git/config',
    'exec > .git/config',
    'exec 3<> .git/config',
    '{ echo x; } > .git/config',
    '(echo x) > .git/config',
    'while read l; do echo $l; done > .git/config',
    'f() { echo x; } > .git/config; f',
    'echo x >.git/config',
    '>.git/config echo x',
    'echo x > ".git"/config',
    'echo x > .GIT/config',
    'echo x > ./sub/../.git/config',
    'cat <<EOF > .git/config',
    'cp x .git',
    'cp -r ../x/.git .',
    'cp -- x .git/config',
    'mv -t .git/hooks a b',
    'ln -sf ../../x .git/config',
    'ln .git/config y',
    'install -Dm755 x .git/hooks/x',
    'install --target-directory .git/hooks x',
    'rsync -a --log-file=/etc/x a b',
    'scp h:x .git/config',
    'curl -sSLo .git/config http://x',
    'curl http://x --output .git/config',
    'curl -D .git/config http://x',
    'curl --remote-name http://x/AGENTS.md',
    'curl -K conf',
    'wget -i list -P.git',
    'wget --output-document=.git/config http://x',
    'wget -qO.git/config http://x',
    'tar -C .git -xf x',
    'tar xfC x .git',
    'tar --extract --file=x --directory .git',
    'tar -xPf x',
    'tar cf .git/config x',
    'unzip -od .git x.zip',
    '7z x a.7z -o.git',
    'sed -i.bak s/a/b/ AGENTS.md',
    'sed --in-place s/a/b/ AGENTS.md',
    'sed -ni p AGENTS.md',
    "sed -Ei 's/a/b/' AGENTS.md",
    'perl -i -pe s/a/b/ AGENTS.md',
    'perl -pi.bak -e s/a/b/ AGENTS.md',
    'sort a -o AGENTS.md',
    'sort --outp=AGENTS.md a',
    'truncate -s0 AGENTS.md',
    'patch AGENTS.md x.diff',
    'chmod +x .git/hooks/x',
    'dd if=a "of=.git/config"',
    "find . -name config -path '*.git*' -exec sed -i s/a/b/ {} +",
    'find .git -type f -exec tee {} +',
    'find . -maxdepth 1 -exec rm -rf {} +',
    'find . ! -name keep -delete',
    'find . -name keep -o -delete',
    'find ~ -delete',
    'find "$HOME" -delete',
    'find $DIR -delete',
    'ls -A | xargs rm -rf',
    'ls | xargs -I{} rm -rf {}',
    'rm -rf -- /',
    'rm -rf "/"*',
    'rm -rf ///',
    'rm -rf /ws/.',
    'rm -rf "$PWD"',
    'rm -rf .g*',
    'rm -r .git/',
    'rm -rf ~+/',
    'rm -fr ${HOME}',
    'echo x > ~root/x',
    'echo x > ~/x',
    '"$SHELL" -c \'rm -rf /\'',
    'sh -c "$CMD"',
    'eval "$CMD"',
    'eval $(echo rm -rf /)',
    'bash -c "$(echo rm -rf /)"',
    "printf 'rm -rf /\\n' | sh",
    "cat <<< 'rm -rf /' | sh",
    'a=rm; $a -rf /',
    'r$(echo m) -rf /',
    '/bin/r? -rf /',
    'command $(echo rm) -rf /',
    'sudo $x',
    'timeout 5 $x',
    'env $x',
    "env -S'tee .git/config'",
    "env -iS 'tee .git/config'",
    "nohup bash -c 'echo x > .git/config' &",
    'time -o .git/config ls',
    'nice tee .git/config',
    'flock x tee .git/config',
    'echo x &>.git/config',
    'echo x >&.git/config',
    'echo x 1>&.git/config',
    'echo x > /dev/fd/../../etc/x',
    'echo x > /dev//sda',
    `echo x > ${WHOLE_DISK}/etc/x`,
    'echo x > /tmp',
    'mv x /tmp/../etc/x',
    "echo x > '/tmp/'../etc/x",
    'tee >(cat > .git/config)',
    'diff <(echo > .git/config) x',
    'echo ${x:-$(tee .git/config)}',
    '[ a > .git/config ]',
    '[[ a ]] ; echo > .git/config',
    '[[ a > b ]] > .git/config',
    'case x in *) echo > .git/config;; esac',
    'for x in a; do $x -rf /; done',
    'case x in x) $y -rf /;; esac',
    'coproc tee .git/config',
    "trap 'tee .git/config' EXIT",
    'git rm AGENTS.md',
    "git rebase --exec='tee .git/config' x",
    'git bisect run tee .git/config',
    'echo x | tee -a -- .git/config',
    'touch -- .git/x',
    'cp a b c .git',
    'cp -a docs/AGENTS.md sub/',
    'cp *.md sub/',
    'parallel tee .git/{} ::: config',
    'arr=($(tee .git/config))',
    'arr=($($run x))',
    'a=(x) tee .git/config',
    'echo x > a > .git/config',
    "echo 'x' | sed 'w .git/config'",
    'strace -o .git/config ls',
    'cmd > "$(mktemp)"',
    'cp x ~-',
    'cp x "a/../../y"',
  ])('%s never passes unasked', (line) => {
    expect(verdict(line)).not.toBe('allow')
  })
})
